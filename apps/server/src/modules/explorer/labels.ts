import type { Label } from '@trellis/contract/explorer/explorer.schemas'
import { transaction } from '@trellis/control-db/database'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import {
  type TableKey,
  addLabel,
  countLabels,
  deleteLabelRow,
  findLabel,
  findLabels,
  findLabelsOfTables,
  insertLabel,
  removeLabels,
  updateLabelRow,
} from './labels.repository.ts'
import { getTable, withReaderSession } from './open-session.service.ts'

const MAX_LABELS = 200
const UNIQUE_VIOLATION = '23505'

const labelExistsError = () =>
  new AppError('conflict', 'A label with this name exists already.', { source: { pointer: '/name' } })
const labelMissingError = () => new AppError('not_found', 'There is no such label.')

export async function listLabels(ctx: WorkspaceCtx) {
  return await findLabels(ctx)
}

export async function createLabel(ctx: WorkspaceCtx, body: { name: string; color: string }): Promise<Label> {
  if ((await countLabels(ctx)) >= MAX_LABELS) {
    throw new AppError('conflict', `A workspace can have ${MAX_LABELS} labels. Delete one that is not needed.`)
  }
  const label = await insertLabel(ctx, { ...body, created_by: ctx.actor.profileId })
  if (!label) throw labelExistsError()
  return label
}

export async function updateLabel(
  ctx: WorkspaceCtx,
  { id, name, color }: { id: number; name?: string | undefined; color?: string | undefined },
): Promise<Label> {
  const change = { ...(name !== undefined && { name }), ...(color !== undefined && { color }) }
  if (Object.keys(change).length === 0) return await getLabel(ctx, id)
  const label = await updateLabelRow(ctx, id, change).catch((error: unknown) => {
    throw (error as { code?: string }).code === UNIQUE_VIOLATION ? labelExistsError() : error
  })
  if (!label) throw labelMissingError()
  return label
}

export async function deleteLabel(ctx: WorkspaceCtx, id: number): Promise<{ done: true }> {
  if (!(await deleteLabelRow(ctx, id))) throw labelMissingError()
  return { done: true }
}

export async function addLabelToTable(
  ctx: WorkspaceCtx,
  body: TableKey & { label_id: number },
): Promise<{ done: true }> {
  await getLabel(ctx, body.label_id)
  await addLabel(ctx, await assertTableExists(ctx, body), body.label_id)
  return { done: true }
}

export async function removeLabelFromTable(
  ctx: WorkspaceCtx,
  body: TableKey & { label_id: number },
): Promise<{ done: true }> {
  await getLabel(ctx, body.label_id)
  await removeLabels(ctx, await assertTableExists(ctx, body), body.label_id)
  return { done: true }
}

export async function setTableLabels(ctx: WorkspaceCtx, body: TableKey & { label_ids: number[] }): Promise<Label[]> {
  const table = await assertTableExists(ctx, body)
  return await transaction(ctx, async (ctx) => {
    await removeLabels(ctx, table)
    for (const id of new Set(body.label_ids)) {
      await getLabel(ctx, id)
      await addLabel(ctx, table, id)
    }
    return (await findLabelsOfTables(ctx, table)).get(table.table_name) ?? []
  })
}

async function getLabel(ctx: WorkspaceCtx, id: number): Promise<Label> {
  const label = await findLabel(ctx, id)
  if (!label) throw labelMissingError()
  return label
}

async function assertTableExists(ctx: WorkspaceCtx, body: TableKey): Promise<TableKey> {
  const { integration_trellis_code, schema_name, table_name } = body
  await withReaderSession(ctx, { integrationCode: integration_trellis_code }, (session) => getTable(session, body))
  return { integration_trellis_code, schema_name, table_name }
}
