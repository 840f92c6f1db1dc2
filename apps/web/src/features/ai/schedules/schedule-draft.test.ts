import { findScheduleProblems, type ScheduleValue } from '@trellis/contract/dataflows/schedules'
import { expect, test } from 'vitest'
import { describeSchedule, createFirstDraft, FREQUENCIES, toSchedule } from './schedule-draft.ts'

const draft = { ...createFirstDraft(), timezone: 'America/New_York' }

test('every choice makes a schedule the server takes', () => {
  for (const frequency of FREQUENCIES) {
    expect(findScheduleProblems(toSchedule({ ...createFirstDraft(), frequency }))).toEqual({})
  }
})

test('a schedule in words', () => {
  const words = FREQUENCIES.map((frequency) => describeSchedule(toSchedule({ ...draft, frequency })))
  expect(words).toEqual([
    'Every hour',
    'Every day at 08:00 (America/New York)',
    'Monday to Friday at 08:00 (America/New York)',
    'Every Monday at 08:00 (America/New York)',
  ])
  const others: ScheduleValue[] = [
    { scheduleType: 'Interval Schedule', scheduleArgs: { hourInterval: 2, minutesInterval: 30 } },
    { scheduleType: 'Cron Schedule', scheduleArgs: { cronExpression: '0 6 * * ? *', timeStandard: 'UTC' } },
    {
      scheduleType: 'List Schedule',
      scheduleArgs: { timezone: 'UTC', timeList: '6, 18', weekdays: ['monday', 'friday'] },
    },
  ]
  expect(others.map((schedule) => describeSchedule(schedule))).toEqual([
    'Every 2 h 30 min',
    'Cron 0 6 * * ? * (UTC)',
    'Every Monday, Friday at 06:00, 18:00 (UTC)',
  ])
})
