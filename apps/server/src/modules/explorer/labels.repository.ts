import type { Label } from '@trellis/contract/explorer/explorer.schemas'
import { deleteScoped, insertScoped, scoped, updateScoped, type WorkspaceScope } from '@trellis/control-db/scoped'

export interface TableKey {
  readonly integration_trellis_code: string
  readonly schema_name: string
  readonly table_name: string
}

const columns = ['table_labels.id', 'table_labels.name', 'table_labels.color'] as const

export async function findLabels(ctx: WorkspaceScope): Promise<(Label & { table_count: number })[]> {
  return await scoped(ctx, 'table_labels')
    .leftJoin('labelled_tables', 'labelled_tables.label_id', 'table_labels.id')
    .select(columns)
    .select(({ fn }) => fn.count<number>('labelled_tables.label_id').as('table_count'))
    .where('table_labels.workspace_id', '=', ctx.workspace.id)
    .groupBy('table_labels.id')
    .orderBy('table_labels.name')
    .execute()
}

export async function countLabels(ctx: WorkspaceScope): Promise<number> {
  const row = await scoped(ctx, 'table_labels')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', ctx.workspace.id)
    .executeTakeFirst()
  return row?.count ?? 0
}

export async function findLabel(ctx: WorkspaceScope, id: number): Promise<Label | undefined> {
  return await scoped(ctx, 'table_labels')
    .select(columns)
    .where('workspace_id', '=', ctx.workspace.id)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function insertLabel(
  ctx: WorkspaceScope,
  label: { name: string; color: string; created_by: number },
): Promise<Label | undefined> {
  return await insertScoped(ctx, 'table_labels', { ...label, workspace_id: ctx.workspace.id })
    .onConflict((conflict) => conflict.doNothing())
    .returning(columns)
    .executeTakeFirst()
}

export async function updateLabelRow(
  ctx: WorkspaceScope,
  id: number,
  change: { name?: string; color?: string },
): Promise<Label | undefined> {
  return await updateScoped(ctx, 'table_labels')
    .set(change)
    .where('workspace_id', '=', ctx.workspace.id)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()
}

export async function deleteLabelRow(ctx: WorkspaceScope, id: number): Promise<boolean> {
  const { numDeletedRows } = await deleteScoped(ctx, 'table_labels')
    .where('workspace_id', '=', ctx.workspace.id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export async function findLabelsOfTables(
  ctx: WorkspaceScope,
  where: Omit<TableKey, 'table_name'> & { table_name?: string },
): Promise<Map<string, Label[]>> {
  let query = scoped(ctx, 'labelled_tables')
    .innerJoin('table_labels', 'table_labels.id', 'labelled_tables.label_id')
    .select([...columns, 'labelled_tables.table_name'])
    .where('labelled_tables.workspace_id', '=', ctx.workspace.id)
    .where('labelled_tables.integration_code', '=', where.integration_trellis_code)
    .where('labelled_tables.schema_name', '=', where.schema_name)
    .orderBy('table_labels.name')
  if (where.table_name !== undefined) query = query.where('labelled_tables.table_name', '=', where.table_name)
  const byTable = new Map<string, Label[]>()
  for (const { table_name, ...label } of await query.execute()) {
    byTable.set(table_name, [...(byTable.get(table_name) ?? []), label])
  }
  return byTable
}

export async function addLabel(ctx: WorkspaceScope, table: TableKey, labelId: number): Promise<void> {
  await insertScoped(ctx, 'labelled_tables', {
    workspace_id: ctx.workspace.id,
    label_id: labelId,
    integration_code: table.integration_trellis_code,
    schema_name: table.schema_name,
    table_name: table.table_name,
  })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function removeLabels(ctx: WorkspaceScope, table: TableKey, labelId?: number): Promise<void> {
  let query = deleteScoped(ctx, 'labelled_tables')
    .where('workspace_id', '=', ctx.workspace.id)
    .where('integration_code', '=', table.integration_trellis_code)
    .where('schema_name', '=', table.schema_name)
    .where('table_name', '=', table.table_name)
  if (labelId !== undefined) query = query.where('label_id', '=', labelId)
  await query.execute()
}
