import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CRON_FIELDS, findCronProblem, readCron } from './cron.ts'
import type { ScheduleValue, Weekday } from './schedules.ts'
import {
  INTERVAL_HOURS,
  INTERVAL_MINUTES,
  SCHEDULE_TYPES,
  TIMEZONE_OPTIONS,
  WEEKDAYS,
  emptySchedule,
  hasAllWeekdays,
  parseHours,
  findScheduleProblems,
  findTimeListProblem,
  toggleAllWeekdays,
  toggleWeekday,
} from './schedules.ts'
import * as changes from './trigger-changes.ts'
import type { Action, TriggerForm } from './triggers.ts'
import {
  NO_TRIGGER,
  SCOPES,
  TriggerForm as TriggerFormShape,
  findActionProblems,
  listActions,
  isTriggerComplete,
  usedActivities,
} from './triggers.ts'

const cron = (cronExpression: string, timeStandard = 'UTC'): ScheduleValue => ({
  scheduleType: 'Cron Schedule',
  scheduleArgs: { cronExpression, timeStandard },
})
const interval = (hourInterval: number | null, minutesInterval: number | null): ScheduleValue => ({
  scheduleType: 'Interval Schedule',
  scheduleArgs: { hourInterval, minutesInterval },
})
const list = (timeList: string, weekdays: Weekday[], timezone = 'UTC'): ScheduleValue => ({
  scheduleType: 'List Schedule',
  scheduleArgs: { timezone, timeList, weekdays },
})
const schedule = (actionValue: ScheduleValue, order = 0): Action => ({ action: 'Schedule', order, actionValue })
const activity = (taskBlockTrellisCode: string, order = 0): Action => ({
  action: 'Activity',
  order,
  actionValue: { taskBlockTrellisCode },
})
const form = (eventEvaluationType: TriggerForm['eventEvaluationType'], ...actions: Action[]): TriggerForm => ({
  eventEvaluationType,
  actions: Object.fromEntries(actions.map((action, order) => [`a${order}`, { ...action, order }])),
  isFormaComplete: false,
})

const FORMAT = 'Invalid CRON expression format. Must contain 6 fields: minute hour day-of-month month day-of-week year'
const DAYS = "Either day-of-month or day-of-week must be '?' or '*'"

describe('messages', () => {
  test.each([
    ['0 0 * * ? *', null],
    ['  0   0 * *\t? *  ', null],
    ['0,30 8-18 ? 1,3-5 1-5 2026-2030', null],
    ['5 4 31 12 * 2199', null],
    ['0 0 * * *', FORMAT],
    ['0 0 * * ? * *', FORMAT],
    ['*/5 0 * * ? *', FORMAT],
    ['a 0 * * ? *', FORMAT],
    ['1, 0 * * ? *', FORMAT],
    ['1- 0 * * ? *', FORMAT],
    ['-1 0 * * ? *', FORMAT],
    ['*,5 0 * * ? *', FORMAT],
    ['0 0 L * ? *', FORMAT],
    ['0 0 ? JAN 1 *', FORMAT],
    ['1.5 0 * * ? *', FORMAT],
    ['60 0 * * ? *', 'Minute must be between 0 and 59, or *'],
    ['? 0 * * ? *', 'Minute must be between 0 and 59, or *'],
    ['30-10 0 * * ? *', 'Minute must be between 0 and 59, or *'],
    ['0 24 * * ? *', 'Hour must be between 0 and 23, or *'],
    ['0 ? * * ? *', 'Hour must be between 0 and 23, or *'],
    ['0 0 0 * ? *', 'Day of month must be between 1 and 31, or * or ?'],
    ['0 0 1,32 * ? *', 'Day of month must be between 1 and 31, or * or ?'],
    ['0 0 * 13 ? *', 'Month must be between 1 and 12, or *'],
    ['0 0 * ? ? *', 'Month must be between 1 and 12, or *'],
    ['0 0 ? * 0 *', 'Day of week must be between 1 (Monday) and 7 (Sunday), or * or ?'],
    ['0 0 ? * 8 *', 'Day of week must be between 1 (Monday) and 7 (Sunday), or * or ?'],
    ['0 0 * * ? 1969', 'Year must be between 1970 and 2199, or *'],
    ['0 0 * * ? 2200', 'Year must be between 1970 and 2199, or *'],
    ['0 0 * * ? ?', 'Year must be between 1970 and 2199, or *'],
    ['0 0 1 * 1 *', DAYS],
    ['61 25 0 0 0 0', 'Minute must be between 0 and 59, or *'],
  ])('cron %s', (text, message) => {
    expect(findCronProblem(text)).toBe(message)
    expect(findScheduleProblems(cron(text))).toEqual(message === null ? {} : { cronExpression: message })
  })

  test.each([
    ['', 'This field is required'],
    ['  ', 'This field is required'],
    ['0', null],
    ['0, 6 ,23', null],
    ['24', 'Must be a comma-separated list of numbers between 0 and 23'],
    ['-1', 'Must be a comma-separated list of numbers between 0 and 23'],
    ['1.5', 'Must be a comma-separated list of numbers between 0 and 23'],
    ['1,', 'Must be a comma-separated list of numbers between 0 and 23'],
    ['1;2', 'Must be a comma-separated list of numbers between 0 and 23'],
    ['eight', 'Must be a comma-separated list of numbers between 0 and 23'],
    ['8,8', 'Values must not repeat'],
    ['8,08', 'Values must not repeat'],
  ])('run at %j', (text, message) => {
    expect(findTimeListProblem(text)).toBe(message)
  })

  test.each<[Action, Record<string, string>]>([
    [activity(''), { taskBlockTrellisCode: 'Required field' }],
    [activity('gone'), { taskBlockTrellisCode: 'This activity is no longer there. Choose another one.' }],
    [activity('b1'), {}],
    [schedule(emptySchedule('')), { scheduleType: 'Required field' }],
    [schedule(emptySchedule('Cron Schedule')), { cronExpression: 'Required field', timeStandard: 'Required field' }],
    [
      schedule(emptySchedule('Interval Schedule')),
      { hourInterval: 'Required field', minutesInterval: 'Required field' },
    ],
    [
      schedule(emptySchedule('List Schedule')),
      { timezone: 'Required field', timeList: 'This field is required', weekdays: 'Select at least one day' },
    ],
    [
      schedule(interval(0, 0)),
      {
        hourInterval: 'At least one interval must be selected',
        minutesInterval: 'At least one interval must be selected',
      },
    ],
    [schedule(interval(0, null)), { minutesInterval: 'Required field' }],
    [
      schedule(interval(9, 15)),
      { hourInterval: 'Hours must be between 0 and 8', minutesInterval: 'Minutes must be 0, 10, 20, 30, 40 or 50' },
    ],
    [schedule(interval(0, 10)), {}],
    [
      schedule(list('8', ['monday'], 'Mars/Olympus')),
      { timezone: 'This time zone is not known. Use a name such as Europe/Berlin.' },
    ],
    [
      schedule(cron('0 0 * * ? *', '+02:00')),
      { timeStandard: 'This time zone is not known. Use a name such as Europe/Berlin.' },
    ],
    [schedule(list('8', ['monday'], 'Europe/Berlin')), {}],
  ])('%j', (action, problems) => {
    expect(findActionProblems(action, ['b1', 'b2'])).toEqual(problems)
  })

  test('words and choices', () => {
    expect(SCOPES).toEqual({ NO_TRIGGER: 'No trigger', Or: 'Any action (OR)', And: 'All actions (ALL)' })
    expect(TIMEZONE_OPTIONS.join(' ')).toBe(
      'UTC America/New_York America/Chicago America/North_Dakota/Center America/North_Dakota/New_Salem America/Denver America/Los_Angeles',
    )
    expect(INTERVAL_HOURS).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    expect(INTERVAL_MINUTES).toEqual([0, 10, 20, 30, 40, 50])
    for (const timezone of TIMEZONE_OPTIONS) expect(findScheduleProblems(list('1', ['sunday'], timezone))).toEqual({})
  })
})

test('any text for cron is either read or refused with a known message', () => {
  const known = [FORMAT, DAYS, ...CRON_FIELDS.map(({ message }) => message)]
  const text = fc.oneof(
    fc.string(),
    fc.array(fc.constantFrom('*', '?', '0', '5', '1-5', '59', '99', '1,2', '2026', '1970-2199', '7-1', ''), {
      minLength: 5,
      maxLength: 7,
    }),
  )
  fc.assert(
    fc.property(text, (given) => {
      const { expression, problem } = readCron(Array.isArray(given) ? given.join(' ') : given)
      expect([null, ...known]).toContain(problem)
      for (const { name, min, max } of CRON_FIELDS) {
        const values = expression?.[name] ?? []
        expect(values.every((value, at) => value >= min && value <= max && value > (values[at - 1] ?? -1))).toBe(true)
      }
    }),
  )
})

describe('completeness', () => {
  const good = schedule(interval(1, 0))
  const half = schedule(interval(1, null))
  test.each<[string, TriggerForm, boolean]>([
    ['no trigger', NO_TRIGGER, true],
    ['no trigger with leftovers', form('NO_TRIGGER', half), true],
    ['or without actions', form('Or'), true],
    ['and without actions', form('And'), true],
    ['or, one good', form('Or', good), true],
    ['or, one good and one empty', form('Or', good, activity('')), true],
    ['or, empty alone', form('Or', activity('')), false],
    ['or, good and half', form('Or', activity('b1'), half), false],
    ['or, type chosen counts as half', form('Or', activity('b1'), schedule(emptySchedule('List Schedule'))), false],
    ['or, activity gone', form('Or', good, activity('b9')), false],
    ['and, all good', form('And', good, activity('b1')), true],
    ['and, one empty', form('And', good, activity('')), false],
    ['and, one half', form('And', activity('b1'), half), false],
  ])('%s', (_, given, isComplete) => {
    expect(isTriggerComplete(given, ['b1', 'b2'])).toBe(isComplete)
    expect(changes.withCompletenessFlag(given, ['b1', 'b2']).isFormaComplete).toBe(isComplete)
  })
})

describe('changing the form', () => {
  const activities = ['b1', 'b2']
  test('no trigger clears everything and closes the button', () => {
    const cleared = changes.changeScope(form('And', activity('b1')), 'NO_TRIGGER')
    expect(cleared).toEqual({ eventEvaluationType: 'NO_TRIGGER', actions: {}, isFormaComplete: true })
    expect(changes.canAddAction(cleared, activities)).toBe(false)
    expect(changes.addAction(cleared, 'x', activities)).toBe(cleared)
  })
  test('the first card is a schedule, later ones are activities, and then there is nothing to add', () => {
    let given = changes.changeScope(NO_TRIGGER, 'And')
    expect(given.isFormaComplete).toBe(true)
    given = changes.addAction(given, 'x', activities)
    expect(given.actions['x']).toEqual(schedule({ scheduleType: '', scheduleArgs: {} }))
    expect(given.isFormaComplete).toBe(false)
    given = changes.addAction(given, 'y', activities)
    expect(changes.actionTypeChoices(given, 'y')).toEqual(['Activity'])
    expect(changes.actionTypeChoices(given, 'x')).toEqual(['Schedule', 'Activity'])
    expect(changes.changeActionType(given, 'y', 'Schedule')).toBe(given)
    given = changes.changeActionValue(given, 'y', { taskBlockTrellisCode: 'b1' })
    expect(changes.listActivityChoices(given, 'z', activities)).toEqual(['b2'])
    expect(changes.listActivityChoices(given, 'y', activities)).toEqual(['b1', 'b2'])
    expect(changes.canAddAction(given, activities)).toBe(true)
    given = changes.changeActionValue(changes.addAction(given, 'z', activities), 'z', { taskBlockTrellisCode: 'b2' })
    expect(changes.canAddAction(given, activities)).toBe(false)
  })
  test('all activities used but no schedule: a schedule can still be added', () => {
    expect(changes.canAddAction(form('Or', activity('b1'), activity('b2')), activities)).toBe(true)
  })
  test('another type starts empty', () => {
    let given = form('Or', schedule(cron('0 0 * * ? *')))
    given = changes.changeScheduleType(given, 'a0', 'List Schedule')
    expect(given.actions['a0']?.actionValue).toEqual(emptySchedule('List Schedule'))
    given = changes.changeActionType(given, 'a0', 'Activity')
    expect(given.actions['a0']).toEqual(activity(''))
    given = changes.changeActionType(given, 'a0', 'Schedule')
    expect(given.actions['a0']?.actionValue).toEqual({ scheduleType: '', scheduleArgs: {} })
  })
  test('removing renumbers; the last card stays', () => {
    let given = form('Or', activity('b1'), activity('b2'), schedule(interval(1, 0)))
    given = changes.removeAction(given, 'a1')
    expect(listActions(given).map(([id, { order }]) => [id, order])).toEqual([
      ['a0', 0],
      ['a2', 1],
    ])
    given = changes.removeAction(given, 'a0')
    expect(changes.canRemoveAction(given)).toBe(false)
    expect(changes.removeAction(given, 'a2')).toBe(given)
  })
  test('an arrow is an activity card', () => {
    const one = changes.connectActivity(NO_TRIGGER, 'b1', 'x')
    expect(one).toEqual({ eventEvaluationType: 'Or', actions: { x: activity('b1') }, isFormaComplete: true })
    expect(changes.connectActivity(one, 'b1', 'y')).toBe(one)
    const filled = changes.connectActivity(form('And', activity('b1'), activity('')), 'b2', 'new')
    expect(usedActivities(filled)).toEqual(['b1', 'b2'])
    expect(Object.keys(filled.actions)).toEqual(['a0', 'a1'])
    expect(changes.disconnectActivity(one, 'b1')).toEqual(NO_TRIGGER)
  })
  test('weekdays', () => {
    expect(hasAllWeekdays([...WEEKDAYS])).toBe(true)
    expect(hasAllWeekdays(WEEKDAYS.slice(1))).toBe(false)
    expect(toggleAllWeekdays(['monday'])).toEqual([...WEEKDAYS])
    expect(toggleAllWeekdays([...WEEKDAYS])).toEqual([])
    expect(toggleWeekday(['friday'], 'monday')).toEqual(['monday', 'friday'])
    expect(toggleWeekday(['monday', 'friday'], 'monday')).toEqual(['friday'])
    expect(parseHours('18, 6,0')).toEqual([0, 6, 18])
  })

  test('whatever is done to a form, it stays one the server takes', () => {
    const code = fc.constantFrom('b1', 'b2', 'b3')
    const id = fc.constantFrom('i', 'j', 'k')
    const step: fc.Arbitrary<(form: TriggerForm) => TriggerForm> = fc.oneof(
      fc.constantFrom('NO_TRIGGER', 'Or', 'And').map((scope) => (f: TriggerForm) => changes.changeScope(f, scope)),
      id.map((id) => (f: TriggerForm) => changes.addAction(f, id, ['b1', 'b2', 'b3'])),
      id.map((id) => (f: TriggerForm) => changes.removeAction(f, id)),
      fc.tuple(id, fc.constantFrom('Schedule', 'Activity')).map(
        ([id, type]) =>
          (f: TriggerForm) =>
            changes.changeActionType(f, id, type),
      ),
      fc.tuple(id, fc.constantFrom(...SCHEDULE_TYPES)).map(
        ([id, type]) =>
          (f: TriggerForm) =>
            changes.changeScheduleType(f, id, type),
      ),
      fc.tuple(id, code).map(
        ([id, code]) =>
          (f: TriggerForm) =>
            changes.connectActivity(f, code, id),
      ),
      code.map((code) => (f: TriggerForm) => changes.disconnectActivity(f, code)),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const end = steps.reduce((given, step) => step(given), NO_TRIGGER)
        expect(TriggerFormShape.safeParse(end).error).toBeUndefined()
        expect(end.isFormaComplete).toBe(isTriggerComplete(end))
      }),
    )
  })
})

describe('what the server refuses', () => {
  test.each<[string, TriggerForm]>([
    ['Only one schedule is allowed', form('Or', schedule(interval(1, 0)), schedule(interval(2, 0)))],
    ['Each activity can be used only once', form('Or', activity('b1'), activity('b1'))],
    ['Without a trigger there can be no actions', form('NO_TRIGGER', activity('b1'))],
    [
      'The order of actions must count from 0 without gaps',
      { eventEvaluationType: 'Or', actions: { a: activity('b1', 1) }, isFormaComplete: true },
    ],
    [
      'A trigger can have at most 100 actions',
      form('Or', ...Array.from({ length: 101 }, (_, at) => activity(`b${at}`))),
    ],
  ])('%s', (message, given) => {
    expect(TriggerFormShape.safeParse(given).error?.issues[0]?.message).toBe(message)
  })
  test('arguments of another type of schedule', () => {
    const mixed = { ...cron('0 0 * * ? *'), scheduleType: 'List Schedule' }
    expect(TriggerFormShape.safeParse(form('Or', schedule(mixed as ScheduleValue))).success).toBe(false)
  })
})
