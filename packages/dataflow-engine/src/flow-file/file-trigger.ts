import { type ScheduleValue, emptySchedule } from '@trellis/contract/dataflows/schedules'
import { type Action, NO_TRIGGER, type TriggerForm, listActions } from '@trellis/contract/dataflows/triggers'
import type { FileAction, FileTrigger } from './flow-file.ts'

export function toFileTrigger(form: TriggerForm, toKey: (code: string) => string): FileTrigger | undefined {
  if (form.eventEvaluationType === 'NO_TRIGGER') return undefined
  const actions = listActions(form).map(([, action]): FileAction =>
    action.action === 'Schedule'
      ? { schedule: toFileSchedule(action.actionValue) }
      : { after: toKey(action.actionValue.taskBlockTrellisCode) },
  )
  return form.eventEvaluationType === 'And' ? { all: actions } : { any: actions }
}

function toFileSchedule(value: ScheduleValue) {
  switch (value.scheduleType) {
    case 'Cron Schedule':
      return { cron: value.scheduleArgs.cronExpression, zone: value.scheduleArgs.timeStandard }
    case 'Interval Schedule':
      return { hours: value.scheduleArgs.hourInterval, minutes: value.scheduleArgs.minutesInterval }
    case 'List Schedule': {
      const { timeList, timezone, weekdays } = value.scheduleArgs
      return { times: timeList, zone: timezone, weekdays }
    }
    default:
      return {}
  }
}

/** Keeps the ids of unchanged actions, so that an unchanged file changes nothing. */
export function toTriggerForm(
  file: FileTrigger | undefined,
  {
    toCode,
    previousForm,
    newId,
  }: { toCode: (key: string) => string; previousForm: TriggerForm | undefined; newId: () => string },
): TriggerForm {
  if (!file) return NO_TRIGGER
  const existingActions = previousForm ? listActions(previousForm) : []
  const takenIds = new Set<string>()
  const fileActions = 'all' in file ? file.all : file.any
  const actions = fileActions.map((item, order): [string, Action] => {
    const action = parseFileAction(item, order, toCode)
    const existingAction = existingActions.find(
      ([id, other]) =>
        !takenIds.has(id) && other.action === action.action && isEqual(other.actionValue, action.actionValue),
    )
    const id = existingAction?.[0] ?? newId()
    takenIds.add(id)
    return [id, action]
  })
  return {
    eventEvaluationType: 'all' in file ? 'And' : 'Or',
    actions: Object.fromEntries(actions),
    isFormaComplete: true,
  }
}

function parseFileAction(fileAction: FileAction, order: number, toCode: (key: string) => string): Action {
  if ('after' in fileAction) {
    return {
      action: 'Activity',
      order,
      actionValue: { taskBlockTrellisCode: fileAction.after === '' ? '' : toCode(fileAction.after) },
    }
  }
  return { action: 'Schedule', order, actionValue: parseFileSchedule(fileAction.schedule) }
}

function parseFileSchedule(schedule: Extract<FileAction, { schedule: unknown }>['schedule']): ScheduleValue {
  if ('cron' in schedule) {
    return {
      scheduleType: 'Cron Schedule',
      scheduleArgs: { cronExpression: schedule.cron, timeStandard: schedule.zone },
    }
  }
  if ('hours' in schedule) {
    return {
      scheduleType: 'Interval Schedule',
      scheduleArgs: { hourInterval: schedule.hours, minutesInterval: schedule.minutes },
    }
  }
  if ('times' in schedule) {
    const { times, zone, weekdays } = schedule
    return { scheduleType: 'List Schedule', scheduleArgs: { timeList: times, timezone: zone, weekdays } }
  }
  return emptySchedule('')
}

const isEqual = (a: object, b: object) => JSON.stringify(sortKeys(a)) === JSON.stringify(sortKeys(b))

/** Sorts object keys; columns of a data model keep the user's order. */
export function sortKeys<T>(value: T, name = ''): T {
  if (Array.isArray(value)) return value.map((item: unknown) => sortKeys(item)) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const ordered = name === 'fields' ? entries : entries.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(ordered.map(([key, property]) => [key, sortKeys(property, key)])) as T
}
