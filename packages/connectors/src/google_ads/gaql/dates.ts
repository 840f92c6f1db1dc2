import { CORE_DATES } from './catalogue-metrics.ts'
import type { Condition, Literal, Query } from './query.ts'
import { unquoteLiteral } from './query.ts'

export const DAY_FIELD = 'segments.date'

export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text)
}

export const isDayOrTime = (text: string): boolean =>
  isDay(text.slice(0, 10)) && /^.{10}( \d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?)?$/.test(text)

export const listDateConditions = ({ where }: Query): Condition[] =>
  where.filter(({ field }) => CORE_DATES.includes(field.name))

const CLOSED = ['=', 'IN', 'DURING', 'BETWEEN']
const FROM_BELOW = ['>', '>=']
const FROM_ABOVE = ['<', '<=']

/** Whether the query limits its dates: no, on one side, or on both. */
export function getDateBounds(query: Query): 'none' | 'open' | 'closed' {
  const conditions = listDateConditions(query)
  if (conditions.length === 0) return 'none'
  const has = (operators: readonly string[]) => conditions.some(({ operator }) => operators.includes(operator))
  return has(CLOSED) || (has(FROM_BELOW) && has(FROM_ABOVE)) ? 'closed' : 'open'
}

/** Google Ads identifies weeks, months and quarters by their first day. */
export function findPeriodProblem(field: string, literal: Literal): string | null {
  const text = unquoteLiteral(literal)
  const [, month = 0, day = 0] = text.split('-').map(Number)
  if (field === 'segments.month' && day !== 1) return 'A month is named by its first day, for example 2026-03-01.'
  if (field === 'segments.quarter' && (day !== 1 || month % 3 !== 1)) {
    return 'A quarter is named by its first day, for example 2026-04-01.'
  }
  if (field === 'segments.week' && new Date(`${text}T00:00:00Z`).getUTCDay() !== 1) {
    return 'A week is named by its Monday, for example 2026-03-02.'
  }
  return null
}

export function isOneDay(query: Query): boolean {
  return listDateConditions(query).some(({ field, operator, values }) => {
    if (field.name !== DAY_FIELD) return false
    const [first, second] = values.map(unquoteLiteral)
    if (operator === '=') return true
    if (operator === 'IN') return values.length === 1
    if (operator === 'DURING') return ['TODAY', 'YESTERDAY'].includes((first ?? '').toUpperCase())
    return operator === 'BETWEEN' && first === second
  })
}
