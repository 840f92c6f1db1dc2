import * as z from 'zod/mini'
import { REQUIRED } from '../formas/forma-rules.ts'
import { ScheduleValue, emptySchedule, findScheduleProblems } from './schedules.ts'

export const SCOPES = { NO_TRIGGER: 'No trigger', Or: 'Any action (OR)', And: 'All actions (ALL)' } as const
export type Scope = keyof typeof SCOPES
export const SCOPE_NAMES = Object.keys(SCOPES) as [Scope, ...Scope[]]
export const CONNECTORS = { NO_TRIGGER: '', Or: 'OR', And: 'AND' } as const satisfies Record<Scope, string>

export const ACTION_TYPES = ['Schedule', 'Activity'] as const
export type ActionType = (typeof ACTION_TYPES)[number]
export const MAX_ACTIONS = 100

const ONE_SCHEDULE_MESSAGE = 'Only one schedule is allowed'
const ACTIVITY_ONCE_MESSAGE = 'Each activity can be used only once'
export const ACTIVITY_GONE_MESSAGE = 'This activity is no longer there. Choose another one.'
const ORDER_MESSAGE = 'The order of actions must count from 0 without gaps'
const NO_ACTIONS_MESSAGE = 'Without a trigger there can be no actions'
const TOO_MANY_ACTIONS_MESSAGE = `A trigger can have at most ${MAX_ACTIONS} actions`

const Order = z.int().check(z.minimum(0), z.maximum(MAX_ACTIONS))
const ActivityValue = z.object({ taskBlockTrellisCode: z.string().check(z.maxLength(100)) })
export const Action = z.discriminatedUnion('action', [
  z.object({ action: z.literal('Schedule'), order: Order, actionValue: ScheduleValue }),
  z.object({ action: z.literal('Activity'), order: Order, actionValue: ActivityValue }),
])
export type Action = z.infer<typeof Action>

/** Incomplete forms are stored too; the server recomputes `isFormaComplete`. */
export const TriggerForm = z
  .object({
    eventEvaluationType: z.enum(SCOPE_NAMES),
    actions: z.record(z.string().check(z.minLength(1), z.maxLength(64)), Action),
    isFormaComplete: z.boolean(),
  })
  .check(
    z.refine(({ actions }) => Object.keys(actions).length <= MAX_ACTIONS, {
      error: TOO_MANY_ACTIONS_MESSAGE,
      path: ['actions'],
    }),
    z.refine((form) => form.eventEvaluationType !== 'NO_TRIGGER' || listActions(form).length === 0, {
      error: NO_ACTIONS_MESSAGE,
      path: ['actions'],
    }),
    z.refine((form) => listActions(form).filter(([, { action }]) => action === 'Schedule').length <= 1, {
      error: ONE_SCHEDULE_MESSAGE,
      path: ['actions'],
    }),
    z.refine((form) => new Set(usedActivities(form)).size === usedActivities(form).length, {
      error: ACTIVITY_ONCE_MESSAGE,
      path: ['actions'],
    }),
    z.refine((form) => listActions(form).every(([, { order }], position) => order === position), {
      error: ORDER_MESSAGE,
      path: ['actions'],
    }),
  )
export type TriggerForm = z.infer<typeof TriggerForm>

export const NO_TRIGGER: TriggerForm = { eventEvaluationType: 'NO_TRIGGER', actions: {}, isFormaComplete: true }

export const listActions = (form: Pick<TriggerForm, 'actions'>): [id: string, action: Action][] =>
  Object.entries(form.actions).toSorted(([, a], [, b]) => a.order - b.order)

export const usedActivities = (form: Pick<TriggerForm, 'actions'>): string[] =>
  listActions(form).flatMap(([, action]) =>
    action.action === 'Activity' && action.actionValue.taskBlockTrellisCode !== ''
      ? [action.actionValue.taskBlockTrellisCode]
      : [],
  )

export const hasSchedule = (form: Pick<TriggerForm, 'actions'>): boolean =>
  listActions(form).some(([, { action }]) => action === 'Schedule')

/** Error messages by field. Without `activities`, every activity is assumed to exist. */
export function findActionProblems(action: Action, activities?: readonly string[]): Record<string, string> {
  if (action.action === 'Schedule') return findScheduleProblems(action.actionValue)
  const { taskBlockTrellisCode: code } = action.actionValue
  if (code === '') return { taskBlockTrellisCode: REQUIRED }
  if (activities && !activities.includes(code)) return { taskBlockTrellisCode: ACTIVITY_GONE_MESSAGE }
  return {}
}

export const isEmptyAction = ({ action, actionValue }: Action): boolean =>
  action === 'Schedule' ? actionValue.scheduleType === '' : actionValue.taskBlockTrellisCode === ''

export const isValidAction = (action: Action, activities?: readonly string[]): boolean =>
  Object.keys(findActionProblems(action, activities)).length === 0

/** "Or" needs one complete card and none half-filled; "And" needs all complete. */
export function isTriggerComplete(form: TriggerForm, activities?: readonly string[]): boolean {
  const actions = listActions(form).map(([, action]) => action)
  if (form.eventEvaluationType === 'NO_TRIGGER' || actions.length === 0) return true
  const valid = actions.filter((action) => isValidAction(action, activities))
  if (form.eventEvaluationType === 'And') return valid.length === actions.length
  return valid.length > 0 && actions.every((action) => isEmptyAction(action) || valid.includes(action))
}

export const emptyAction = (type: ActionType, order: number): Action =>
  type === 'Schedule'
    ? { action: 'Schedule', order, actionValue: emptySchedule('') }
    : { action: 'Activity', order, actionValue: { taskBlockTrellisCode: '' } }
