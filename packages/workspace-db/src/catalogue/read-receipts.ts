import { LOADS_SCHEMA } from '../provision/loads-schema.ts'
import type { Session } from '../session.ts'
import { readObjects } from './plain-session.ts'

/** What one load did to a table. */
export interface Receipt {
  readonly loadId: string
  readonly table: string
  readonly mode: 'new' | 'append' | 'replace' | 'upsert' | 'undo'
  readonly source: string
  readonly rows: number
  readonly finishedAt: string
  readonly by: string | null
  readonly canUndo: boolean
}

/** The latest loads of a schema, or of one table of it. Only the owner may read them. */
export async function readReceipts(
  session: Session,
  about: { schema: string; table?: string; limit: number },
): Promise<readonly Receipt[]> {
  return await readObjects<Receipt>(
    session,
    `select r.load_id as "loadId", r.table_name as table, r.mode, r.source, r.rows, r.done_by as by,
            to_char(r.finished_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "finishedAt",
            r.undo is not null and r.undone_at is null as "canUndo"
       from ${LOADS_SCHEMA}.receipts r
      where r.schema_name = $1::text and ($2::text is null or r.table_name = $2::text)
      order by r.finished_at desc limit $3::int`,
    [about.schema, about.table ?? null, String(about.limit)],
  )
}

/** What was loaded into a table stays known under its new name. */
export async function renameInReceipts(
  session: Session,
  { schema, table, newName }: { schema: string; table: string; newName: string },
): Promise<void> {
  await session.query({
    text: `update ${LOADS_SCHEMA}.receipts set table_name = $3 where schema_name = $1 and table_name = $2`,
    values: [schema, table, newName],
  })
}

export async function renameSchemaInReceipts(session: Session, schema: string, newName: string): Promise<void> {
  await session.query({
    text: `update ${LOADS_SCHEMA}.receipts set schema_name = $2 where schema_name = $1`,
    values: [schema, newName],
  })
}

/** A table that is made later under the same name was never loaded. */
export async function forgetReceipts(
  session: Session,
  { schema, table }: { schema: string; table?: string },
): Promise<void> {
  await session.query({
    text: `delete from ${LOADS_SCHEMA}.receipts where schema_name = $1 and ($2::text is null or table_name = $2)`,
    values: [schema, table ?? null],
  })
}
