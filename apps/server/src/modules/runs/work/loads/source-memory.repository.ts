import type { Db } from '@trellis/control-db/database'
import type { SourceMemory } from '@trellis/loads/plan/source-change'
import { sql } from 'kysely'

type WithDb = { readonly db: Db }
interface BlockSubtask {
  readonly blockCode: string
  readonly subtask: string
}

export async function findSourceColumns(
  { db }: WithDb,
  { blockCode, subtask }: BlockSubtask,
): Promise<SourceMemory | null> {
  const row = await db
    .selectFrom('source_columns as c')
    .innerJoin('task_blocks as b', 'b.id', 'c.block_id')
    .select(['c.fields', 'c.answers'])
    .where('b.trellis_code', '=', blockCode)
    .where('c.subtask', '=', subtask)
    .executeTakeFirst()
  return (row as SourceMemory | undefined) ?? null
}

export async function writeSourceColumns(
  { db }: WithDb,
  { blockCode, subtask }: BlockSubtask,
  { fields, answers }: SourceMemory,
): Promise<void> {
  await sql`
    insert into source_columns (account_id, workspace_id, block_id, subtask, fields, answers)
    select account_id, workspace_id, id, ${subtask}, ${JSON.stringify(fields)}::jsonb, ${JSON.stringify(answers)}::jsonb
      from task_blocks where trellis_code = ${blockCode}
    on conflict (block_id, subtask) do update
      set fields = excluded.fields, answers = excluded.answers, updated_at = now()
      where (source_columns.fields, source_columns.answers) is distinct from (excluded.fields, excluded.answers)`.execute(
    db,
  )
}
