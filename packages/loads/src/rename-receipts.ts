import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import type { Session } from '@trellis/workspace-db/session'

const RECEIPTS = `${LOADS_SCHEMA}.receipts`

export async function renameInReceipts(
  session: Session,
  { schema, table, newName }: { schema: string; table: string; newName: string },
): Promise<void> {
  await session.query({
    text: `update ${RECEIPTS} set table_name = $3 where schema_name = $1 and table_name = $2`,
    values: [schema, table, newName],
  })
}

export async function renameSchemaInReceipts(session: Session, schema: string, newName: string): Promise<void> {
  await session.query({
    text: `update ${RECEIPTS} set schema_name = $2 where schema_name = $1`,
    values: [schema, newName],
  })
}
