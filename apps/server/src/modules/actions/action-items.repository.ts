import type { ActionEffect, ActionItem, ActionStatus, ActionType } from '@trellis/contract/actions/actions.schemas'
import { type AccountScope, insertScoped, scoped, updateScoped } from '@trellis/control-db/scoped'

interface PersonScope extends AccountScope {
  readonly workspace: { readonly id: number }
  readonly actor: { readonly profileId: number }
}

export interface ActionArguments {
  readonly effect?: ActionEffect
  readonly worksheet?: { readonly name: string; readonly content: string }
}

export interface ActionUndo {
  readonly project_id: string
  readonly file_id: string
  readonly version: string
}

export interface ActionItemRow {
  readonly id: number
  readonly trellis_code: string
  readonly action_type: ActionType
  readonly arguments: ActionArguments
  readonly title: string
  readonly summary: string
  readonly preview: ActionItem['preview']
  readonly status: ActionStatus
  readonly effect: ActionEffect | null
  readonly undo: ActionUndo | null
  readonly problem: string | null
  readonly message_code: string | null
  readonly log: ActionItem['log']
  readonly created_at: Date
}

const selectOwnItems = (ctx: PersonScope) =>
  scoped(ctx, 'ai_action_items')
    .leftJoin('ai_messages', 'ai_messages.id', 'ai_action_items.message_id')
    .select([
      'ai_action_items.id',
      'ai_action_items.trellis_code',
      'ai_action_items.action_type',
      'ai_action_items.arguments',
      'ai_action_items.title',
      'ai_action_items.summary',
      'ai_action_items.preview',
      'ai_action_items.status',
      'ai_action_items.effect',
      'ai_action_items.undo',
      'ai_action_items.problem',
      'ai_messages.trellis_code as message_code',
      'ai_action_items.log',
      'ai_action_items.created_at',
    ])
    .where('ai_action_items.workspace_id', '=', ctx.workspace.id)
    .where('ai_action_items.profile_id', '=', ctx.actor.profileId)

export async function findActionItem(ctx: PersonScope, code: string): Promise<ActionItemRow | undefined> {
  const row = await selectOwnItems(ctx).where('ai_action_items.trellis_code', '=', code).executeTakeFirst()
  return row as unknown as ActionItemRow | undefined
}

export async function findActionItems(
  ctx: PersonScope,
  { limit, offset }: { limit: number; offset: number },
): Promise<ActionItemRow[]> {
  const rows = await selectOwnItems(ctx).orderBy('ai_action_items.id', 'desc').limit(limit).offset(offset).execute()
  return rows as unknown as ActionItemRow[]
}

export async function countActionItems(ctx: PersonScope): Promise<number> {
  const row = await scoped(ctx, 'ai_action_items')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', ctx.workspace.id)
    .where('profile_id', '=', ctx.actor.profileId)
    .executeTakeFirstOrThrow()
  return row.count
}

export type NewActionItem = Pick<
  ActionItemRow,
  'trellis_code' | 'action_type' | 'arguments' | 'title' | 'summary' | 'preview'
> & { readonly messageId: number | null; readonly at: Date }

export async function insertActionItem(ctx: PersonScope, { messageId, at, ...item }: NewActionItem): Promise<void> {
  await insertScoped(ctx, 'ai_action_items', {
    ...item,
    arguments: JSON.stringify(item.arguments),
    preview: JSON.stringify(item.preview),
    workspace_id: ctx.workspace.id,
    profile_id: ctx.actor.profileId,
    message_id: messageId,
    status: 'proposed',
    effect: null,
    undo: null,
    problem: null,
    log: JSON.stringify([{ status: 'proposed', at: at.toISOString() }]),
    created_at: at,
  }).execute()
}

export interface Settlement {
  readonly status: ActionStatus
  readonly effect?: ActionEffect | undefined
  readonly undo?: ActionUndo | undefined
  readonly problem?: string | undefined
  readonly at: Date
}

export async function finishActionItem(
  ctx: AccountScope,
  row: ActionItemRow,
  { status, effect, undo, problem, at }: Settlement,
): Promise<boolean> {
  const changed = await updateScoped(ctx, 'ai_action_items')
    .set({
      status,
      effect: effect === undefined ? null : JSON.stringify(effect),
      undo: undo === undefined ? null : JSON.stringify(undo),
      problem: problem ?? null,
      log: JSON.stringify([...row.log, { status, at: at.toISOString() }]),
    })
    .where('id', '=', row.id)
    .where('status', '=', row.status)
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}
