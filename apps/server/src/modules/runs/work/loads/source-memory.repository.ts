import type { Db } from '@trellis/control-db/database'
import { sql } from 'kysely'
import type { SourceMemory } from './source-memory.ts'

type WithDb = { readonly db: Db }
interface Place {
  readonly blockId: number
  readonly subtask: string
}

export async function findSourceColumns({ db }: WithDb, { blockId, subtask }: Place): Promise<SourceMemory | null> {
  const row = await db
    .selectFrom('source_columns')
    .select(['fields', 'answers'])
    .where('block_id', '=', blockId)
    .where('subtask', '=', subtask)
    .executeTakeFirst()
  return (row as SourceMemory | undefined) ?? null
}

export async function writeSourceColumns(
  { db }: WithDb,
  { accountId, workspaceId, blockId, subtask }: Place & { accountId: number; workspaceId: number },
  { fields, answers }: SourceMemory,
): Promise<void> {
  await sql`
    insert into source_columns (account_id, workspace_id, block_id, subtask, fields, answers)
    values (${accountId}, ${workspaceId}, ${blockId}, ${subtask}, ${JSON.stringify(fields)}, ${JSON.stringify(answers)})
    on conflict (block_id, subtask) do update
      set fields = excluded.fields, answers = excluded.answers, updated_at = now()
      where (source_columns.fields, source_columns.answers) is distinct from (excluded.fields, excluded.answers)`.execute(
    db,
  )
}
