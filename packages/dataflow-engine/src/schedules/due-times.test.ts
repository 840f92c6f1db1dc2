import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY_MS, matchesDay } from './dates.ts'
import { listDueTimes, findNextDue, listNextDueTimes } from './due-times.ts'
import { describeDueTime, formatDuration, describeEnd, describeSchedule } from './in-words.ts'
import { listNewestMissed, listTimesAhead } from './materialise.ts'
import type { WallSchedule } from './schedule.ts'
import { parseCron, isEveryHour, parseSchedule } from './schedule.ts'

const utc = (text: string) => Date.parse(`${text}Z`)
const iso = (at: number) => new Date(at).toISOString().slice(0, 16)
const MINUTE = 60_000

/** Zones with unusual transitions, and the year. */
const ZONES = [
  ['UTC', 2026],
  ['America/New_York', 2026],
  ['Europe/Berlin', 2026],
  ['Australia/Lord_Howe', 2026],
  ['Africa/Casablanca', 2026],
  ['Africa/Cairo', 2014],
  ['Asia/Kathmandu', 1986],
  ['America/Sao_Paulo', 2018],
  ['America/St_Johns', 2006],
  ['Pacific/Apia', 2011],
  ['Asia/Pyongyang', 2018],
  ['America/North_Dakota/New_Salem', 2003],
  ['Antarctica/Troll', 2026],
] as const

/** Local time of every minute by Intl alone: slow but simple. */
const yearsSeen = new Map<string, Int32Array>()
function clocks(zone: string, year: number): { start: number; local: Int32Array } {
  const start = Date.UTC(year, 0, 1)
  const name = `${zone} ${year}`
  const seen = yearsSeen.get(name)
  if (seen) return { start, local: seen }
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  const count = (Date.UTC(year + 1, 0, 1) - start) / MINUTE
  const local = new Int32Array(count)
  const read = (minute: number) =>
    Math.floor(Date.parse(`${format.format(start + minute * MINUTE).replace(' ', 'T')}Z`) / MINUTE)
  let first = read(0)
  for (let minute = 0; minute < count; minute += 60) {
    const next = read(minute + 60)
    // Within an hour without a transition, every minute follows from the first.
    for (let at = 0; at < 60; at++) local[minute + at] = next - first === 60 ? first + at : read(minute + at)
    first = next
  }
  yearsSeen.set(name, local)
  return { start, local }
}

/** The handbook's rules, minute by minute. */
function scan(schedule: WallSchedule, year: number): number[] {
  const { start, local } = clocks(schedule.zone, year)
  const times = new Uint8Array(1440)
  for (const hour of schedule.hours) for (const minute of schedule.minutes) times[hour * 60 + minute] = 1
  let known = Number.NaN
  let isDay = false
  const names = (minute: number) => {
    const day = Math.floor(minute / 1440)
    if (day !== known) isDay = matchesDay(schedule, day)
    known = day
    return isDay && times[minute - day * 1440] === 1
  }
  const found: number[] = []
  let furthest = (local[0] ?? 0) - 1
  const byElapsed = isEveryHour(schedule)
  for (let at = 0; at < local.length; at++) {
    const shown = local[at] ?? 0
    let isDue = false
    for (let passed = byElapsed ? shown : furthest + 1; passed <= shown; passed++) isDue ||= names(passed)
    furthest = Math.max(furthest, shown)
    if (isDue) found.push(start + at * MINUTE)
  }
  return found
}

const subset = (min: number, max: number) =>
  fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 4 }).map((values) => values.join(','))
const orStar = (values: fc.Arbitrary<string>) => fc.oneof({ weight: 2, arbitrary: fc.constant('*') }, values)
const cronText = fc
  .record({
    minute: fc.oneof(subset(0, 59), fc.constantFrom('0', '30', '0,30', '*')),
    hour: fc.oneof(subset(0, 23), fc.constantFrom('*', '0', '1', '2', '23', '0-3', '1-2')),
    days: fc.oneof(
      fc.constant(['*', '?'] as const),
      subset(1, 31).map((days) => [days, '?'] as const),
      subset(1, 7).map((days) => ['?', days] as const),
    ),
    month: orStar(subset(1, 12)),
  })
  .map(({ minute, hour, days, month }) => `${minute} ${hour} ${days[0]} ${month} ${days[1]} *`)

describe('due times', () => {
  test.each(ZONES)('%s agrees with a scan of every minute of %i', (zone, year) => {
    fc.assert(
      fc.property(cronText, (text) => {
        const schedule = parseCron(text, zone)
        // Without a day at each end, which the scan cannot know.
        const [from, to] = [Date.UTC(year, 0, 2), Date.UTC(year, 11, 31)]
        const expected = scan(schedule, year).filter((at) => at > from && at <= to)
        const found = listDueTimes(schedule, from, to).map(({ at }) => at)
        expect(found.length).toBe(expected.length)
        expect(found.find((at, position) => at !== expected[position])).toBeUndefined()
      }),
      { numRuns: 6 },
    )
  })

  test('asking step by step gives what asking at once gives', () => {
    fc.assert(
      fc.property(
        cronText,
        fc.constantFrom(...ZONES.map(([zone]) => zone)),
        fc.integer({ min: utc('1971-01-01T00:00'), max: utc('2090-01-01T00:00') }),
        (text, zone, after) => {
          const schedule = parseCron(text, zone)
          const { times } = listNextDueTimes(schedule, after, 5)
          let at = after
          for (const due of times) {
            expect(findNextDue(schedule, at)).toEqual(due)
            expect(due.at).toBeGreaterThan(at)
            expect(due.at % MINUTE).toBe(0)
            at = due.at
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  test('exactly one run a local day, whatever the clocks do', () => {
    for (const [zone, year] of ZONES) {
      for (const time of ['0 0', '30 0', '30 1', '0 2', '15 2', '30 2', '30 3', '59 23']) {
        const schedule = parseCron(`${time} * * ? ${year}`, zone)
        const { times } = listNextDueTimes(schedule, Date.UTC(year - 1, 11, 1), 400)
        // Apia skipped this day, so its times come due with the next one.
        const isThere = (day: number) => zone !== 'Pacific/Apia' || day !== Date.UTC(2011, 11, 30) / DAY_MS
        const days = times.map(({ nominal }) => Math.floor(nominal / DAY_MS)).filter(isThere)
        const first = Date.UTC(year, 0, 1) / DAY_MS
        const count = Date.UTC(year + 1, 0, 1) / DAY_MS - first
        expect(days).toEqual(Array.from({ length: count }, (_, at) => first + at).filter(isThere))
      }
    }
  })
})

describe('the table of the handbook', () => {
  test.each([
    [
      'New York, skipped',
      '30 2 * * ? *',
      'America/New_York',
      '2026-03-07T12:00',
      ['2026-03-08T07:00', '2026-03-09T06:30'],
    ],
    [
      'New York, doubled',
      '30 1 * * ? *',
      'America/New_York',
      '2026-10-31T12:00',
      ['2026-11-01T05:30', '2026-11-02T06:30'],
    ],
    [
      'Lord Howe, skipped',
      '15 2 * * ? *',
      'Australia/Lord_Howe',
      '2026-10-03T00:00',
      ['2026-10-03T15:30', '2026-10-04T15:15'],
    ],
    [
      'Lord Howe, doubled',
      '45 1 * * ? *',
      'Australia/Lord_Howe',
      '2026-04-04T00:00',
      ['2026-04-04T14:45', '2026-04-05T15:15'],
    ],
    [
      'Cairo, midnight skipped',
      '30 0 * * ? *',
      'Africa/Cairo',
      '2026-04-23T00:00',
      ['2026-04-23T22:00', '2026-04-24T21:30'],
    ],
    ['the 31st', '0 9 31 * ? *', 'UTC', '2026-01-31T09:00', ['2026-03-31T09:00', '2026-05-31T09:00']],
    ['29 February', '0 9 29 2 ? *', 'UTC', '2026-01-01T00:00', ['2028-02-29T09:00', '2032-02-29T09:00']],
    [
      'St. John’s, back over midnight',
      '30 * * * ? *',
      'America/St_Johns',
      '2006-10-29T02:30',
      ['2006-10-29T03:00', '2006-10-29T04:00'],
    ],
    [
      'every half hour while an hour is doubled',
      '0,30 * * * ? *',
      'America/New_York',
      '2026-11-01T04:59',
      ['2026-11-01T05:00', '2026-11-01T05:30', '2026-11-01T06:00', '2026-11-01T06:30', '2026-11-01T07:00'],
    ],
    [
      'every half hour while an hour is skipped',
      '0,30 * * * ? *',
      'America/New_York',
      '2026-03-08T06:29',
      ['2026-03-08T06:30', '2026-03-08T07:00', '2026-03-08T07:30'],
    ],
    [
      'several times in one gap run once',
      '0,15,30 2,3 * * ? *',
      'America/New_York',
      '2026-03-08T00:00',
      ['2026-03-08T07:00', '2026-03-08T07:15', '2026-03-08T07:30', '2026-03-09T06:00'],
    ],
    [
      'Apia, a day skipped',
      '0 9 * * ? *',
      'Pacific/Apia',
      '2011-12-29T00:00',
      ['2011-12-29T19:00', '2011-12-30T10:00', '2011-12-30T19:00'],
    ],
    [
      'Sao Paulo, midnight skipped',
      '0 0 * * ? *',
      'America/Sao_Paulo',
      '2018-11-03T12:00',
      ['2018-11-04T03:00', '2018-11-05T02:00'],
    ],
    [
      'Kathmandu, a quarter skipped',
      '5 0 * * ? *',
      'Asia/Kathmandu',
      '1985-12-31T00:00',
      ['1985-12-31T18:30', '1986-01-01T18:20'],
    ],
  ])('%s', (...[, text, zone, after, expected]) => {
    const { times } = listNextDueTimes(parseCron(text, zone), utc(after), expected.length)
    expect(times.map(({ at }) => iso(at))).toEqual(expected)
  })

  test('weekdays count from Monday to Sunday', () => {
    const { times } = listNextDueTimes(parseCron('0 0 ? * 1,7 *', 'UTC'), utc('2026-11-14T12:00'), 3)
    expect(times.map(({ at }) => new Date(at).getUTCDay())).toEqual([0, 1, 0])
  })

  test('intervals follow UTC from their anchor', () => {
    const anchor = utc('2026-03-08T00:05')
    const value = { scheduleType: 'Interval Schedule', scheduleArgs: { hourInterval: 1, minutesInterval: 30 } } as const
    const schedule = parseSchedule(value, anchor)
    expect(listNextDueTimes(schedule, anchor - DAY_MS, 2).times.map(({ at }) => iso(at))).toEqual([
      '2026-03-08T01:35',
      '2026-03-08T03:05',
    ])
    expect(iso(findNextDue(schedule, utc('2026-03-08T03:05'))?.at ?? 0)).toBe('2026-03-08T04:35')
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 4e12 }), (after) => {
        const at = findNextDue(schedule, after)?.at ?? 0
        expect((at - anchor) % (90 * MINUTE)).toBe(0)
        expect(at > after && at > anchor && (at - 90 * MINUTE <= after || at === anchor + 90 * MINUTE)).toBe(true)
      }),
    )
  })

  test('lists are hours of weekdays in a zone', () => {
    const scheduleArgs = { timezone: 'America/Chicago', timeList: '18, 6', weekdays: ['friday', 'monday'] as const }
    const value = {
      scheduleType: 'List Schedule',
      scheduleArgs: { ...scheduleArgs, weekdays: [...scheduleArgs.weekdays] },
    }
    const schedule = parseSchedule(value as Parameters<typeof parseSchedule>[0], 0)
    expect(listNextDueTimes(schedule, utc('2026-11-13T13:00'), 3).times.map(({ at }) => iso(at))).toEqual([
      '2026-11-14T00:00',
      '2026-11-16T12:00',
      '2026-11-17T00:00',
    ])
  })
})

describe('rows of due times', () => {
  test('stretch by stretch, whatever their limits, gives all of them once', () => {
    const limits = fc.infiniteStream(fc.integer({ min: 1, max: 9 }))
    const lengths = fc.infiniteStream(fc.integer({ min: 0, max: 3 * DAY_MS }))
    fc.assert(
      fc.property(cronText, limits, lengths, (text, limit, length) => {
        const schedule = parseCron(text.replace(/^\* /, '7 '), 'Europe/Berlin')
        const start = utc('2026-03-20T00:00')
        const found: number[] = []
        let after = start
        for (let until = start; until < start + 14 * DAY_MS && found.length < 200;) {
          const { times, doneUntil } = listTimesAhead(schedule, { after, until, limit: limit.next().value })
          found.push(...times.map(({ at }) => at))
          if (doneUntil >= until) until += length.next().value
          after = doneUntil
        }
        expect(found).toEqual(listDueTimes(schedule, start, after).map(({ at }) => at))
      }),
      { numRuns: 30 },
    )
  })
  test('after a year of downtime only the newest are looked at', () => {
    const [after, until] = [utc('2025-01-01T00:00'), utc('2026-01-01T00:00')]
    const minutely = listNewestMissed(parseCron('* * * * ? *', 'UTC'), { after, until, limit: 100 })
    expect([minutely.times.length, minutely.isCut, iso(minutely.times[0]?.at ?? 0)]).toEqual([
      100,
      true,
      '2025-12-31T22:21',
    ])
    const monthly = listNewestMissed(parseCron('0 0 1 * ? *', 'UTC'), { after, until, limit: 100 })
    expect([monthly.times.length, monthly.isCut]).toEqual([12, false])
    const never = listNewestMissed(parseCron('0 0 30 2 ? *', 'UTC'), { after, until, limit: 100 })
    expect(never).toEqual({ times: [], isCut: false })
  })
})

describe('rules that are rare or never come', () => {
  test.each([
    ['0 0 30 2 ? *', 0],
    ['0 0 31 4,6,9,11 ? *', 0],
    ['0 0 * * ? 2020', 0],
    ['0 0 29 2 ? 2027', 0],
    ['0 0 29 2 ? 2196', 1],
    ['0 0 29 2 ? 2100,2104', 1],
    ['0 0 1 1 ? 2199', 1],
  ])('%s', (text, count) => {
    const next = listNextDueTimes(parseCron(text, 'America/New_York'), utc('2026-11-15T00:00'), 10)
    expect(next.times.length).toBe(count)
    expect(next.isAll).toBe(true)
    expect(describeEnd(next)).toMatch(
      count === 0 ? /^This schedule never comes due again/ : /^This schedule ends there/,
    )
  })
})

test('in words', () => {
  const words = (text: string, zone: string, after: string) => {
    const due = findNextDue(parseCron(text, zone), utc(after))
    return due && describeDueTime(due)
  }
  expect(words('30 2 * * ? *', 'America/New_York', '2026-03-08T00:00')).toBe(
    'Sunday 8 March 2026, 03:00 (UTC-04:00), because the clocks skip 02:30',
  )
  expect(words('30 1 * * ? *', 'America/New_York', '2026-11-01T00:00')).toBe(
    'Sunday 1 November 2026, 01:30 (UTC-04:00), the first of two',
  )
  expect(words('0 9 * * ? *', 'Pacific/Apia', '2011-12-29T20:00')).toBe(
    'Saturday 31 December 2011, 00:00 (UTC+14:00), because the clocks skip Friday 30 December 2011, 09:00',
  )
  expect(words('5 0 * * ? *', 'UTC', '2026-11-15T00:00')).toBe('Sunday 15 November 2026, 00:05 (UTC)')
  expect(words('0 0 * * ? *', 'Asia/Kathmandu', '2026-11-15T00:00')).toBe('Monday 16 November 2026, 00:00 (UTC+05:45)')
  const rule = (text: string) => describeSchedule(parseCron(text, 'Europe/Berlin'))
  expect(rule('0 8,18 ? * 1-5 *')).toBe(
    'At 08:00 and 18:00, on Monday, Tuesday, Wednesday, Thursday and Friday, Europe/Berlin time',
  )
  expect(rule('0,30 * * * ? 2026-2028,2030')).toBe(
    'Every hour at minute 00 and 30, every day, in 2026 to 2028 and 2030, Europe/Berlin time',
  )
  expect(rule('* * 1 6,7 ? *')).toBe('Every minute, on day 1 of the month, in June and July, Europe/Berlin time')
  expect(describeSchedule({ kind: 'interval', anchor: 0, everyMs: 5_400_000 })).toBe(
    'Every 1 hour 30 minutes, counted from when it was published',
  )
  expect(formatDuration(0)).toBe('0 seconds')
  expect(formatDuration(90_061_000)).toBe('1 day 1 hour')
})
