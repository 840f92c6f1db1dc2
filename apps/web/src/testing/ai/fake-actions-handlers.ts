import type { Action, ActionItem, ActionStatus } from '@trellis/contract/actions/actions.schemas'
import { FAKE_DATABASE } from '../fake-explorer.ts'
import { FakeError } from '../fake-error.ts'
import type { Handler } from '../fake-handler.ts'
import type { FakeWorld } from '../fake-world.ts'

const AT = '2026-11-16T09:00:00.000Z'
const NO_ARGUMENT = { kind: 'none', label: '', is_required: false } as const

const ACTIONS: Action[] = [
  {
    action_type: 'snake',
    title: 'Snake',
    description: 'Play a round of Snake',
    argument: NO_ARGUMENT,
    can_undo: false,
  },
  {
    action_type: 'view_table',
    title: 'Open table',
    description: 'Show the rows of a table or view',
    argument: { kind: 'choice', label: 'Table', is_required: true },
    can_undo: false,
  },
]

const tablePath = (table: string) => `explorer/${FAKE_DATABASE}/schema/shop/table/${table}/preview`

export const fakeActionItem = (change: Partial<ActionItem> = {}): ActionItem => ({
  action_id: 'act1',
  action_type: 'view_table',
  title: 'Open table',
  summary: 'Open shop.orders.',
  preview: [{ label: 'Table', value: 'shop.orders' }],
  status: 'proposed',
  can_undo: false,
  effect: null,
  problem: null,
  message_trellis_code: 'a1',
  log: [{ status: 'proposed', at: AT }],
  created_at: AT,
  ...change,
})

function findItem({ ai }: FakeWorld, code: string | undefined): ActionItem {
  const item = ai.actions.find(({ action_id }) => action_id === code)
  if (!item) throw new FakeError('not_found')
  return item
}

const STATUSES: Readonly<Record<string, ActionStatus>> = { accept: 'accepted', decline: 'declined', undo: 'undone' }

const toEffect = ({ action_type }: ActionItem): ActionItem['effect'] => {
  if (action_type === 'snake') return { kind: 'game', game: 'snake' }
  return action_type === 'color'
    ? { kind: 'theme', theme_mode: 'light' }
    : { kind: 'navigate', path: tablePath('orders') }
}

export const actionsHandlers: Record<string, Handler> = {
  listActions: () => ({ actions: ACTIONS }),
  getAction: (_, { params }) => ({
    ...ACTIONS.find(({ action_type }) => action_type === params['action_type']),
    choices: ['orders', 'customers'].map((name) => ({
      value: tablePath(name),
      label: `shop.${name}`,
      description: 'Table',
    })),
    is_cut: false,
  }),
  listActionResources: () => ({
    resources: ['orders', 'customers'].map((name) => ({
      resource_type: 'table',
      integration_trellis_code: FAKE_DATABASE,
      schema_name: 'shop',
      table_name: name,
      label: `shop.${name}`,
      path: tablePath(name),
    })),
    is_cut: false,
  }),
  getActionItem: (world, { params }) => findItem(world, params['action_id']),
  decideActionItem: (world, { params, body }) => {
    const item = findItem(world, params['action_id'])
    const status = STATUSES[(body as { decision: string }).decision] ?? 'failed'
    const isAccepted = status === 'accepted'
    return Object.assign(item, {
      status,
      effect: isAccepted ? toEffect(item) : null,
      can_undo: isAccepted && item.action_type === 'new_worksheet',
    })
  },
}
