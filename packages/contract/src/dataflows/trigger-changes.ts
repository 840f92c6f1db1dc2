import type { ScheduleType } from './schedules.ts'
import { emptySchedule } from './schedules.ts'
import type { Action, ActionType, Scope, TriggerForm } from './triggers.ts'
import { ACTION_TYPES, MAX_ACTIONS, NO_TRIGGER, listActions, emptyAction, hasSchedule } from './triggers.ts'
import { isTriggerComplete, usedActivities } from './triggers.ts'

/**
 * Changes return a new form with `isFormaComplete` recomputed; a change that is not allowed returns the form unchanged.
 */

export const withCompletenessFlag = (form: TriggerForm, activities?: readonly string[]): TriggerForm => ({
  ...form,
  isFormaComplete: isTriggerComplete(form, activities),
})

export const changeScope = (form: TriggerForm, scope: Scope): TriggerForm =>
  scope === 'NO_TRIGGER' ? NO_TRIGGER : withCompletenessFlag({ ...form, eventEvaluationType: scope })

/** An activity can be chosen in one card only. */
export function listActivityChoices(form: TriggerForm, id: string, activities: readonly string[]): string[] {
  const otherBlockCodes = usedActivities({ actions: omitAction(form, id) })
  return activities.filter((code) => !otherBlockCodes.includes(code))
}

export const actionTypeChoices = (form: TriggerForm, id: string): ActionType[] =>
  ACTION_TYPES.filter((type) => type === 'Activity' || !hasSchedule({ actions: omitAction(form, id) }))

export function canAddAction(form: TriggerForm, activities: readonly string[]): boolean {
  if (form.eventEvaluationType === 'NO_TRIGGER' || listActions(form).length >= MAX_ACTIONS) return false
  return !hasSchedule(form) || listActivityChoices(form, '', activities).length > 0
}

export function addAction(form: TriggerForm, id: string, activities: readonly string[]): TriggerForm {
  if (!canAddAction(form, activities) || id in form.actions) return form
  const action = emptyAction(hasSchedule(form) ? 'Activity' : 'Schedule', listActions(form).length)
  return withCompletenessFlag({ ...form, actions: { ...form.actions, [id]: action } }, activities)
}

export const canRemoveAction = (form: TriggerForm): boolean => listActions(form).length > 1

export const removeAction = (form: TriggerForm, id: string): TriggerForm =>
  canRemoveAction(form) && id in form.actions
    ? withCompletenessFlag({ ...form, actions: renumberActions(omitAction(form, id)) })
    : form

export function changeActionType(form: TriggerForm, id: string, type: ActionType): TriggerForm {
  const action = form.actions[id]
  if (!action || action.action === type || !actionTypeChoices(form, id).includes(type)) return form
  return withAction(form, id, emptyAction(type, action.order))
}

export function changeScheduleType(form: TriggerForm, id: string, type: ScheduleType | ''): TriggerForm {
  const action = form.actions[id]
  if (action?.action !== 'Schedule' || action.actionValue.scheduleType === type) return form
  return withAction(form, id, { ...action, actionValue: emptySchedule(type) })
}

export function changeActionValue(form: TriggerForm, id: string, value: Action['actionValue']): TriggerForm {
  const action = form.actions[id]
  return action ? withAction(form, id, { ...action, actionValue: value } as Action) : form
}

/** Reuses an empty activity card if there is one. */
export function connectActivity(form: TriggerForm, blockCode: string, newId: string): TriggerForm {
  if (usedActivities(form).includes(blockCode)) return form
  const newScope = form.eventEvaluationType === 'NO_TRIGGER' ? 'Or' : form.eventEvaluationType
  const emptyCard = listActions(form).find(
    ([, action]) => action.action === 'Activity' && action.actionValue.taskBlockTrellisCode === '',
  )
  const count = listActions(form).length
  if (!emptyCard && (count >= MAX_ACTIONS || newId in form.actions)) return form
  const [id, order] = emptyCard ? [emptyCard[0], emptyCard[1].order] : [newId, count]
  const action: Action = { action: 'Activity', order, actionValue: { taskBlockTrellisCode: blockCode } }
  return withAction({ ...form, eventEvaluationType: newScope }, id, action)
}

/** Without a card left, the scope becomes "No trigger". */
export function disconnectActivity(form: TriggerForm, blockCode: string): TriggerForm {
  const id = listActions(form).find(
    ([, action]) => action.action === 'Activity' && action.actionValue.taskBlockTrellisCode === blockCode,
  )?.[0]
  if (id === undefined) return form
  const actions = renumberActions(omitAction(form, id))
  return Object.keys(actions).length === 0 ? NO_TRIGGER : withCompletenessFlag({ ...form, actions })
}

const withAction = (form: TriggerForm, id: string, action: Action): TriggerForm =>
  withCompletenessFlag({ ...form, actions: { ...form.actions, [id]: action } })

const omitAction = (form: TriggerForm, id: string): Record<string, Action> =>
  Object.fromEntries(Object.entries(form.actions).filter(([key]) => key !== id))

const renumberActions = (actions: Record<string, Action>): Record<string, Action> =>
  Object.fromEntries(listActions({ actions }).map(([id, action], order) => [id, { ...action, order }]))
