import type * as schemas from '@trellis/contract/actions/actions.schemas'
import { transaction } from '@trellis/control-db/database'
import type * as z from 'zod/mini'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { generateTrellisCode } from '../../platform/trellis-code.ts'
import { createWorksheetDraft, deleteUnchangedWorksheet } from '../worksheets/worksheet-files.service.ts'
import { listResourceNames, listSchemaChoices } from './action-choices.ts'
import { findAllowedAction, listAllowedActions, toAction } from './action-definitions.ts'
import {
  type ActionItemRow,
  type ActionUndo,
  type Settlement,
  countActionItems,
  findActionItem,
  findActionItems,
  insertActionItem,
  finishActionItem,
} from './action-items.repository.ts'
import { places } from './places.ts'
import { prepareAction } from './prepare-action.ts'

const MAX_CHOICES = 1000
const MAX_RESOURCES = 2000
const PAGE = 50
const NOT_THERE = 'There is nothing at this address, or you have no access to it.'

const toItem = ({
  id: _,
  arguments: __,
  trellis_code,
  undo,
  message_code,
  ...row
}: ActionItemRow): schemas.ActionItem => ({
  ...row,
  action_id: trellis_code,
  can_undo: row.status === 'accepted' && undo !== null,
  message_trellis_code: message_code,
  created_at: row.created_at.toISOString(),
})

export async function listActions(ctx: WorkspaceCtx): Promise<z.infer<typeof schemas.Actions>> {
  return { actions: listAllowedActions(ctx).map((allowedAction) => toAction(allowedAction)) }
}

export async function getAction(
  ctx: WorkspaceCtx,
  type: schemas.ActionType,
  { ai_project_id }: z.infer<typeof schemas.ActionTypeQuery>,
): Promise<schemas.ActionWithChoices> {
  const definition = findAllowedAction(ctx, type)
  if (!definition) throw new AppError('not_found', NOT_THERE)
  const all = (await definition.choices?.(ctx, ai_project_id)) ?? []
  const choices = all.slice(0, MAX_CHOICES).map(({ value, label, description }) => ({ value, label, description }))
  return { ...toAction(definition), choices, is_cut: all.length > choices.length }
}

export async function listActionResources(
  ctx: WorkspaceCtx,
  { include_resource_types }: z.infer<typeof schemas.ResourcesQuery>,
): Promise<z.infer<typeof schemas.Resources>> {
  const types = new Set((include_resource_types ?? 'schema,table,view').split(',').map((item) => item.trim()))
  const names = await listResourceNames(ctx)
  const schemaResources = types.has('schema') ? await listSchemaResources(ctx) : []
  const tables = names
    .map(({ integrationCode, schema, table, isView }) => ({
      resource_type: isView ? ('view' as const) : ('table' as const),
      integration_trellis_code: integrationCode,
      schema_name: schema,
      table_name: table,
      label: `${schema}.${table}`,
      path: places.table(integrationCode, schema, table),
    }))
    .filter(({ resource_type }) => types.has(resource_type))
  const all = [...schemaResources, ...tables]
  return { resources: all.slice(0, MAX_RESOURCES), is_cut: all.length > MAX_RESOURCES }
}

async function listSchemaResources(ctx: WorkspaceCtx): Promise<schemas.Resource[]> {
  return (await listSchemaChoices(ctx)).map(({ label, path }) => ({
    resource_type: 'schema',
    integration_trellis_code: decodeURIComponent(path.split('/')[1] ?? ''),
    schema_name: label,
    table_name: null,
    label,
    path,
  }))
}

async function getRow(ctx: WorkspaceCtx, code: string): Promise<ActionItemRow> {
  const row = await findActionItem(ctx, code)
  if (!row) throw new AppError('not_found', NOT_THERE)
  return row
}

export const getActionItem = async (ctx: WorkspaceCtx, code: string): Promise<schemas.ActionItem> =>
  toItem(await getRow(ctx, code))

export async function listActionItems(
  ctx: WorkspaceCtx,
  { page = 1 }: z.infer<typeof schemas.ActionItemsQuery>,
): Promise<z.infer<typeof schemas.ActionItems>> {
  const total = await countActionItems(ctx)
  const pages = Math.max(1, Math.ceil(total / PAGE))
  const own = Math.min(page, pages)
  const rows = await findActionItems(ctx, { limit: PAGE, offset: (own - 1) * PAGE })
  return { items: rows.map((row) => toItem(row)), page: own, pages, total }
}

export async function proposeAction(
  ctx: WorkspaceCtx,
  request: schemas.CreateActionItemRequest,
  messageId: number | null = null,
): Promise<schemas.ActionItem> {
  const prepared = await prepareAction(ctx, request)
  const trellis_code = generateTrellisCode()
  const { action_type } = request
  await insertActionItem(ctx, { ...prepared, trellis_code, action_type, messageId, at: ctx.clock.now() })
  return await getActionItem(ctx, trellis_code)
}

export async function decideActionItem(
  ctx: WorkspaceCtx,
  code: string,
  decision: 'accept' | 'decline' | 'undo',
): Promise<schemas.ActionItem> {
  const row = await getRow(ctx, code)
  const expected = decision === 'undo' ? 'accepted' : 'proposed'
  if (row.status !== expected || (decision === 'undo' && !row.undo)) {
    throw new AppError('conflict', `This action can not be ${PAST[decision]}: it is ${row.status}.`)
  }
  ctx.http.addAuditDetail({ action: row.action_type, decision, what: row.summary })
  if (decision === 'accept') return await accept(ctx, row)
  if (decision === 'undo' && row.undo) return await undo(ctx, row, row.undo)
  return await finishAction(ctx, row, { status: 'declined', at: ctx.clock.now() })
}

const PAST = { accept: 'accepted', decline: 'declined', undo: 'undone' } as const

async function finishAction(
  ctx: WorkspaceCtx,
  row: ActionItemRow,
  settlement: Settlement,
): Promise<schemas.ActionItem> {
  if (!(await finishActionItem(ctx, row, settlement))) {
    throw new AppError('conflict', 'This action was decided in another tab meanwhile.')
  }
  return await getActionItem(ctx, row.trellis_code)
}

async function accept(ctx: WorkspaceCtx, row: ActionItemRow): Promise<schemas.ActionItem> {
  const at = ctx.clock.now()
  if (!findAllowedAction(ctx, row.action_type)) {
    return await finishAction(ctx, row, { status: 'failed', problem: 'You have no right to do this any more.', at })
  }
  const { worksheet, effect } = row.arguments
  if (!worksheet) return await finishAction(ctx, row, { status: 'accepted', effect, at })
  return await transaction(ctx, async (ctx) => {
    const file = await createWorksheetDraft(ctx, worksheet)
    if (!file) {
      const problem = 'This workspace has no project for worksheets. Create one first.'
      return await finishAction(ctx, row, { status: 'failed', problem, at })
    }
    const { project_id, file_id, version } = file
    const opened = { kind: 'navigate' as const, path: places.worksheet(file) }
    return await finishAction(ctx, row, {
      status: 'accepted',
      effect: opened,
      undo: { project_id, file_id, version },
      at,
    })
  })
}

async function undo(ctx: WorkspaceCtx, row: ActionItemRow, undone: ActionUndo): Promise<schemas.ActionItem> {
  return await transaction(ctx, async (ctx) => {
    if (!(await deleteUnchangedWorksheet(ctx, undone))) {
      throw new AppError('conflict', 'The worksheet was changed since. Delete it among the worksheets.')
    }
    return await finishAction(ctx, row, { status: 'undone', at: ctx.clock.now() })
  })
}
