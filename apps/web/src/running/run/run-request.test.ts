import { expect, test } from 'vitest'
import { formatCursor } from './cursor-text.ts'
import { toRunBody, overridesForma, describeStart, findWishProblem } from './run-request.ts'

test('the days of a backfill are asked for once', () => {
  const range = {
    reference: 'days',
    order: 1,
    label: 'Days',
    data_type: 'date_range',
    type: 'historic_date_range',
    properties: {},
  } as const
  const limit = {
    reference: 'limit',
    order: 2,
    label: 'Most rows',
    data_type: 'int',
    type: 'number',
    properties: {},
  } as const
  const all = [range, limit].map((element) => ({ section: 'period', element }))
  expect(overridesForma(all).sections.map(({ elements }) => elements.map(({ label }) => label))).toEqual([
    ['Most rows'],
  ])
  expect(overridesForma([{ section: 'period', element: range }]).sections).toEqual([])
})

test('where a cursor stands', () => {
  expect(formatCursor({ value: 'x', is_gap_free_up_to: '2026-11-15T06:05:00.123Z' })).toBe(
    'Everything up to 2026-11-15 06:05:00 UTC is loaded without gaps.',
  )
  expect(formatCursor({ value: '4711', is_gap_free_up_to: null })).toBe('The last run stopped at 4711.')
  expect(formatCursor({ value: null, is_gap_free_up_to: null })).toContain('reads everything')
})

test('a backfill names its days; without them it is not sent', () => {
  const wish = { scope: 'block' as const, reading: 'window' as const, range: undefined, overrides: {} }
  const today = '2026-11-15'
  expect(findWishProblem(wish, today)).toBe('Choose the days to read.')
  const range = { dataTimeframe: 'startingDate' as const, startDate: '2026-11-01', endDate: null }
  expect(findWishProblem({ ...wish, range }, today)).toBeUndefined()
  expect(findWishProblem({ ...wish, range: { ...range, startDate: '2026-11-16' } }, today)).toContain(
    'today or earlier',
  )
  expect(findWishProblem({ ...wish, range: { ...range, startDate: '2020-11-01' } }, today)).toContain('5 years')
  expect(toRunBody({ ...wish, range }, today)).toEqual({ scope: 'block', window: { from: '2026-11-01', to: today } })
  expect(toRunBody({ ...wish, reading: 'full', overrides: { query: { account: '1' } } }, today)).toEqual({
    scope: 'block',
    is_full: true,
    overrides: { query: { account: '1' } },
  })
  expect(toRunBody({ ...wish, reading: 'new', overrides: { query: {} } }, today)).toEqual({ scope: 'block' })
})

test('a dry run is asked for as such, whatever it reads', () => {
  const wish = { scope: 'shadow' as const, reading: 'full' as const, range: undefined, overrides: {} }
  expect(toRunBody(wish, '2026-11-15')).toEqual({ is_shadow: true, is_full: true })
  expect(describeStart(wish)).toBe('Start the dry run')
  expect(describeStart({ ...wish, scope: 'block' })).toBe('Run a full refresh')
})
