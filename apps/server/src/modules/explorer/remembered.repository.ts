import { deleteScoped, insertScoped, scoped, updateScoped, type WorkspaceScope } from '@trellis/control-db/scoped'
import type { TableKey } from './labels.repository.ts'

const TABLES = ['labelled_tables', 'opened_tables'] as const

/** Uploads follow a rename, but stay after a deletion. */
const FOLLOWING = [...TABLES, 'upload_files', 'upload_jobs'] as const

const RECENT = 12

export async function saveOpenedTable(
  ctx: WorkspaceScope & { actor: { profileId: number } },
  table: TableKey,
  now: Date,
): Promise<void> {
  await insertScoped(ctx, 'opened_tables', {
    workspace_id: ctx.workspace.id,
    profile_id: ctx.actor.profileId,
    integration_code: table.integration_trellis_code,
    schema_name: table.schema_name,
    table_name: table.table_name,
    opened_at: now,
  })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'profile_id', 'integration_code', 'schema_name', 'table_name'])
        .doUpdateSet({ opened_at: now }),
    )
    .execute()
}

export async function findRecent(ctx: WorkspaceScope & { actor: { profileId: number } }) {
  return await scoped(ctx, 'opened_tables')
    .select(['integration_code', 'schema_name', 'table_name', 'opened_at'])
    .where('workspace_id', '=', ctx.workspace.id)
    .where('profile_id', '=', ctx.actor.profileId)
    .orderBy('opened_at', 'desc')
    .limit(RECENT)
    .execute()
}

export async function deleteRememberedTable(ctx: WorkspaceScope, key: TableKey): Promise<void> {
  for (const table of TABLES) {
    await deleteScoped(ctx, table)
      .where('workspace_id', '=', ctx.workspace.id)
      .where('integration_code', '=', key.integration_trellis_code)
      .where('schema_name', '=', key.schema_name)
      .where('table_name', '=', key.table_name)
      .execute()
  }
}

async function deleteRememberedSchema(ctx: WorkspaceScope, key: Omit<TableKey, 'table_name'>): Promise<void> {
  for (const table of TABLES) {
    await deleteScoped(ctx, table)
      .where('workspace_id', '=', ctx.workspace.id)
      .where('integration_code', '=', key.integration_trellis_code)
      .where('schema_name', '=', key.schema_name)
      .execute()
  }
}

/** Rows under the new name belong to a table that no longer exists. */
export async function renameRemembered(ctx: WorkspaceScope, key: TableKey, newName: string): Promise<void> {
  await deleteRememberedTable(ctx, { ...key, table_name: newName })
  for (const table of FOLLOWING) {
    await updateScoped(ctx, table)
      .set({ table_name: newName })
      .where('workspace_id', '=', ctx.workspace.id)
      .where('integration_code', '=', key.integration_trellis_code)
      .where('schema_name', '=', key.schema_name)
      .where('table_name', '=', key.table_name)
      .execute()
  }
}

export async function renameRememberedSchema(
  ctx: WorkspaceScope,
  key: Omit<TableKey, 'table_name'>,
  newName: string,
): Promise<void> {
  await deleteRememberedSchema(ctx, { ...key, schema_name: newName })
  for (const table of FOLLOWING) {
    await updateScoped(ctx, table)
      .set({ schema_name: newName })
      .where('workspace_id', '=', ctx.workspace.id)
      .where('integration_code', '=', key.integration_trellis_code)
      .where('schema_name', '=', key.schema_name)
      .execute()
  }
}

export async function countFiles(ctx: WorkspaceScope, key: Omit<TableKey, 'table_name'>): Promise<number> {
  const row = await scoped(ctx, 'upload_files')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', ctx.workspace.id)
    .where('integration_code', '=', key.integration_trellis_code)
    .where('schema_name', '=', key.schema_name)
    .executeTakeFirst()
  return row?.count ?? 0
}

export async function findLabelsOn(ctx: WorkspaceScope, integrationCode: string) {
  return await scoped(ctx, 'labelled_tables')
    .innerJoin('table_labels', 'table_labels.id', 'labelled_tables.label_id')
    .select(['table_labels.name as label', 'label_id', 'schema_name', 'table_name'])
    .where('labelled_tables.workspace_id', '=', ctx.workspace.id)
    .where('integration_code', '=', integrationCode)
    .orderBy('table_labels.name')
    .orderBy('schema_name')
    .orderBy('table_name')
    .execute()
}

export async function findRunningExports(ctx: WorkspaceScope, integrationCode: string) {
  return await scoped(ctx, 'table_exports')
    .select(['schema_name', 'table_name'])
    .distinct()
    .where('workspace_id', '=', ctx.workspace.id)
    .where('integration_code', '=', integrationCode)
    .where('status', '=', 'in_progress')
    .orderBy('schema_name')
    .orderBy('table_name')
    .execute()
}

export async function insertLabelled(
  ctx: WorkspaceScope,
  rows: readonly (TableKey & { readonly label_id: number })[],
): Promise<void> {
  for (const { label_id, integration_trellis_code, schema_name, table_name } of rows) {
    const label = await scoped(ctx, 'table_labels')
      .select('id')
      .where('workspace_id', '=', ctx.workspace.id)
      .where('id', '=', label_id)
      .executeTakeFirst()
    if (!label) continue
    const values = { workspace_id: ctx.workspace.id, label_id, integration_code: integration_trellis_code }
    await insertScoped(ctx, 'labelled_tables', { ...values, schema_name, table_name })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}
