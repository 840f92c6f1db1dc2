import type { Db } from '@trellis/control-db/database'

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

export async function findDemoPlace({ db }: { readonly db: Db }, workspaceId: number) {
  return await db
    .selectFrom('workspaces')
    .innerJoin('accounts', 'accounts.id', 'workspaces.account_id')
    .innerJoin('profiles', 'profiles.id', 'workspaces.created_by')
    .select(['workspaces.id as workspace_id', 'workspaces.trellis_code as workspace_code'])
    .select(['workspaces.workspace_address as address'])
    .select(['accounts.id as account_id', 'accounts.trellis_code as account_code'])
    .select(['profiles.id as profile_id', 'profiles.email', 'profiles.first_name', 'profiles.surname'])
    .where('workspaces.id', '=', workspaceId)
    .executeTakeFirst()
}
export type DemoWorkspace = NonNullable<Awaited<ReturnType<typeof findDemoPlace>>>
