import type { Db } from '@trellis/control-db/database'

/** A label of the sample and the tables that carry it; nothing when somebody took the name already. */
export async function writeSampleLabel(
  { db }: { readonly db: Db },
  place: { workspaceId: number; integrationCode: string; schema: string },
  label: { name: string; color: string; tables: readonly string[] },
): Promise<void> {
  const workspace = await db
    .selectFrom('workspaces')
    .select('account_id')
    .where('id', '=', place.workspaceId)
    .executeTakeFirst()
  if (!workspace) return
  const owner = { account_id: workspace.account_id, workspace_id: place.workspaceId }
  const made = await db
    .insertInto('table_labels')
    .values({ ...owner, name: label.name, color: label.color, created_by: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) return
  for (const table_name of label.tables) {
    const table = { integration_code: place.integrationCode, schema_name: place.schema, table_name }
    await db
      .insertInto('labelled_tables')
      .values({ ...owner, ...table, label_id: made.id })
      .execute()
  }
}
