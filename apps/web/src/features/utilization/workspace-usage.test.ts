import { expect, test } from 'vitest'
import { createBilling } from '../../testing/fake-billing.ts'
import { describeForecast, toPoints, toUsageCsv } from './workspace-usage.ts'

const { utilization } = createBilling()
const GIB = 1024 ** 3

test('days are named by their date, hours by their time', () => {
  const [day] = toPoints(utilization, 'queries')
  expect(day?.label).toBe(day?.day.slice(0, 10))
  const [hour] = toPoints({ ...utilization, unit: 'hour' }, 'queries')
  expect(hour?.label).toMatch(/^[A-Z][a-z]{2} \d{1,2}, \d{2}:\d{2}$/)
})

test.each([
  [{ used_bytes: GIB, limit_bytes: null, forecast: null }, 'has no limit'],
  [{ used_bytes: 2 * GIB, limit_bytes: GIB, forecast: null }, 'The plan is full'],
  [{ used_bytes: GIB, limit_bytes: 2 * GIB, forecast: null }, 'after the first day'],
  [{ used_bytes: GIB, limit_bytes: 2 * GIB, forecast: { bytes_per_day: 0, full_on: null } }, 'does not grow'],
  [{ used_bytes: GIB, limit_bytes: 2 * GIB, forecast: { bytes_per_day: 1000, full_on: null } }, 'not be full in ten'],
  [{ used_bytes: GIB, limit_bytes: 2 * GIB, forecast: { bytes_per_day: GIB, full_on: '2026-12-01' } }, '2026-12-01'],
])('the forecast of %o says %s', (storage, words) => {
  expect(describeForecast(storage)).toContain(words)
})

test('the file holds everything the page shows', () => {
  const lines = toUsageCsv(utilization).trimEnd().split('\r\n')
  expect(lines[0]).toBe('at,measure,name,value')
  expect(lines).toHaveLength(1 + 30 * 5 + 30 + 2 + 2 + 1)
  expect(lines.some((line) => line.includes('table_bytes,data.orders,62914560'))).toBe(true)
})

test('a name that begins like a formula is text in a spreadsheet', () => {
  const people = [{ name: '=1+1', queries: 1, credits_spent: 0 }]
  expect(toUsageCsv({ ...utilization, people })).toContain("queries_by_person,'=1+1,1")
})
