import type { DayWindow } from '../shared/day-windows.ts'
import { addDays, countDays, splitWindow } from '../shared/day-windows.ts'
import { hashToFraction, getKnownShare, hashToInteger } from '../shared/hash-values.ts'
import type { CatalogueField } from './gaql/catalogue.ts'
import { findField } from './gaql/catalogue.ts'
import { CORE_DATES } from './gaql/catalogue-metrics.ts'
import { listDateConditions } from './gaql/dates.ts'
import type { Condition, Query } from './gaql/query.ts'
import { unquoteLiteral } from './gaql/query.ts'
import type { SimulatedAccount } from './simulator-accounts.ts'
import { getAttribute, listClients, listEntities } from './simulator-accounts.ts'

type Row = Record<string, unknown>
const CONVERSIONS_FINAL_DAYS = 14
const CLICKS_FINAL_DAYS = 2

export function runQuery(query: Query, account: SimulatedAccount, today: string): Row[] {
  const rows = query.from.name === 'customer_client' ? listClients(account.id) : queryRows(query, account, today)
  const keptRows = rows.filter((row) =>
    query.where.every((condition) => CORE_DATES.includes(condition.field.name) || matchesCondition(condition, row)),
  )
  const sorted = query.orderBy.reduceRight<Row[]>(
    (list, { field, direction }) =>
      list.toSorted((a, b) => compare(a[field.name], b[field.name]) * (direction === 'DESC' ? -1 : 1)),
    keptRows,
  )
  return sorted.slice(0, query.limit?.count ?? sorted.length)
}

function queryRows(query: Query, account: SimulatedAccount, today: string): Row[] {
  const names = new Set(
    [...query.select, ...query.where.map(({ field }) => field), ...query.orderBy.map(({ field }) => field)].map(
      ({ name }) => name,
    ),
  )
  names.add(`${query.from.name}.resource_name`)
  const fields = [...names].map((name) => findField(name) as CatalogueField)
  const metrics = fields.filter(({ category }) => category === 'metric')
  const attributes = fields.filter(({ category }) => category === 'attribute')
  const breakdowns = listBreakdowns(fields.filter(({ category, group }) => category === 'segment' && group !== 'dates'))
  const selected = new Set(query.select.map(({ name }) => name))
  const periods = groupByPeriod(
    listDays(query, today),
    CORE_DATES.filter((name) => selected.has(name)),
  )
  const hasNumbers = metrics.length > 0 || periods.some(({ segments }) => Object.keys(segments).length > 0)
  return listEntities(query.from.name, account).flatMap((entity) => {
    const base = Object.fromEntries(attributes.map((field) => [field.name, getAttribute(field, entity)]))
    if (!hasNumbers) return breakdowns.map((segments) => ({ ...base, ...segments }))
    return periods.flatMap(({ days, segments }) =>
      breakdowns.map((breakdown) => {
        const seed = [
          entity.account.id,
          entity.campaign,
          entity.adGroup,
          entity.number,
          query.from.name,
          JSON.stringify(breakdown),
        ].join('|')
        return { ...base, ...segments, ...breakdown, ...computeMetrics(metrics, { days, seed, today }) }
      }),
    )
  })
}

function listBreakdowns(segments: readonly CatalogueField[]): Row[] {
  const toSegmentValue = ({ name, type, values }: CatalogueField, index: number): unknown => {
    if (values.length > 0) return values[index % values.length]
    if (type === 'INT64') return String(index)
    if (type === 'BOOLEAN') return index === 0
    return type === 'ENUM' ? 'UNSPECIFIED' : `${name.slice('segments.'.length)} ${index + 1}`
  }
  return [0, 1]
    .slice(0, segments.length === 0 ? 1 : 2)
    .map((index) =>
      Object.fromEntries(
        segments.map((segment, place) => [segment.name, toSegmentValue(segment, place === 0 ? index : 0)]),
      ),
    )
}

function listDays(query: Query, today: string): string[] {
  const all = splitWindow({ from: addDays(today, -730), to: today } satisfies DayWindow, 1).map(({ from }) => from)
  const conditions = listDateConditions(query)
  return all.filter((day) => conditions.every((condition) => isDayIn(condition, day, today)))
}

function isDayIn(condition: Condition, day: string, today: string): boolean {
  const { field, operator } = condition
  if (operator !== 'DURING')
    return matchesCondition(condition, field.name === 'segments.date' ? { 'segments.date': day } : toDateSegments(day))
  const word = unquoteLiteral(condition.values[0] as Condition['values'][number]).toUpperCase()
  if (word === 'TODAY') return day === today
  if (word === 'THIS_MONTH') return day.slice(0, 7) === today.slice(0, 7)
  const [, count = '1'] = /LAST_(\d+)_DAYS/.exec(word) ?? []
  const length = word.includes('WEEK') ? 7 : word === 'LAST_MONTH' ? 30 : Number(count)
  return day < today && day >= addDays(today, -length)
}

function toDateSegments(day: string): Row {
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
  const [year = '', month = '01'] = day.split('-')
  const quarter = String(Math.floor((Number(month) - 1) / 3) * 3 + 1).padStart(2, '0')
  return {
    'segments.date': day,
    'segments.week': addDays(day, -weekday),
    'segments.month': `${year}-${month}-01`,
    'segments.quarter': `${year}-${quarter}-01`,
    'segments.year': Number(year),
  }
}

function groupByPeriod(days: readonly string[], names: readonly string[]): { days: string[]; segments: Row }[] {
  const periods = new Map<string, { days: string[]; segments: Row }>()
  for (const day of days) {
    const dates = toDateSegments(day)
    const segments = Object.fromEntries(names.map((name) => [name, dates[name]]))
    const key = JSON.stringify(segments)
    const period = periods.get(key) ?? { days: [], segments }
    period.days.push(day)
    periods.set(key, period)
  }
  return [...periods.values()]
}

interface Numbers {
  impressions: number
  clicks: number
  cost: number
  conversions: number
  value: number
}

function simulateNumbers(day: string, seed: string, today: string): Numbers {
  const age = countDays(day, today)
  const clicksShare = getKnownShare(age, CLICKS_FINAL_DAYS)
  const impressions = Math.floor(hashToInteger(40, 900, seed, day, 'i') * clicksShare)
  const clicks = Math.floor(impressions * (0.02 + hashToFraction(seed, day, 'c') * 0.08))
  const cost = clicks * hashToInteger(20, 180, seed, day, 'p') * 10_000
  const conversions =
    Math.floor(clicks * hashToFraction(seed, day, 'v') * 0.3 * getKnownShare(age, CONVERSIONS_FINAL_DAYS) * 100) / 100
  return { impressions, clicks, cost, conversions, value: Math.round(conversions * 4900) / 100 }
}

const round = (value: number) => Math.round(value * 1e6) / 1e6
const divide = (a: number, b: number) => (b === 0 ? 0 : round(a / b))

const METRICS: Readonly<Record<string, (sum: Numbers) => number>> = {
  impressions: ({ impressions }) => impressions,
  clicks: ({ clicks }) => clicks,
  interactions: ({ clicks }) => clicks,
  cost_micros: ({ cost }) => cost,
  ctr: ({ clicks, impressions }) => divide(clicks, impressions),
  average_cpc: ({ cost, clicks }) => divide(cost, clicks),
  average_cost: ({ cost, clicks }) => divide(cost, clicks),
  average_cpm: ({ cost, impressions }) => divide(cost * 1000, impressions),
  conversions: ({ conversions }) => round(conversions),
  all_conversions: ({ conversions }) => round(conversions * 1.2),
  conversions_value: ({ value }) => round(value),
  all_conversions_value: ({ value }) => round(value * 1.2),
  cost_per_conversion: ({ cost, conversions }) => divide(cost, conversions),
  value_per_conversion: ({ value, conversions }) => divide(value, conversions),
}

function computeMetrics(
  metrics: readonly CatalogueField[],
  { days, seed, today }: { days: readonly string[]; seed: string; today: string },
): Row {
  const sum: Numbers = { impressions: 0, clicks: 0, cost: 0, conversions: 0, value: 0 }
  for (const day of metrics.length === 0 ? [] : days) {
    const numbers = simulateNumbers(day, seed, today)
    for (const name of Object.keys(sum) as (keyof Numbers)[]) sum[name] += numbers[name]
  }
  return Object.fromEntries(
    metrics.map(({ name, type, values }) => {
      const known = METRICS[name.slice('metrics.'.length)]
      if (type === 'ENUM') return [name, values[0]]
      const value = known
        ? known(sum)
        : type === 'INT64'
          ? Math.floor(sum.clicks / 3)
          : round(hashToFraction(seed, name))
      return [name, type === 'INT64' ? String(value) : value]
    }),
  )
}

function compare(a: unknown, b: unknown): number {
  const isNumeric = [a, b].every(
    (item) => typeof item === 'number' || (typeof item === 'string' && /^-?\d+(\.\d+)?$/.test(item)),
  )
  if (isNumeric) return Number(a) - Number(b)
  return String(a) < String(b) ? -1 : Number(String(a) > String(b))
}

type Test = (value: unknown, wanted: readonly string[]) => boolean

const isSame = (value: unknown, one: string) => String(value).toLowerCase() === one.toLowerCase()
const isAmong: Test = (value, wanted) => wanted.some((item) => isSame(value, item))
const isMissing: Test = (value) => value === undefined || value === null || (Array.isArray(value) && value.length === 0)
const isLike: Test = (value, [pattern = '']) => {
  const plain = pattern.replaceAll(/[.*+?^${}()|\\]/g, String.raw`\$&`)
  return new RegExp(`^${plain.replaceAll('%', '.*').replaceAll('_', '.')}$`, 'is').test(String(value))
}
const isMatch: Test = (value, [pattern = '']) => new RegExp(`^(?:${pattern})$`).test(String(value))
const has = (value: unknown, one: string) => Array.isArray(value) && value.includes(one)
const createOrderTest =
  (isRight: (order: number) => boolean): Test =>
  (value, [first = '']) =>
    isRight(compare(value, first))

const TESTS: Readonly<Record<Condition['operator'], Test>> = {
  '=': isAmong,
  '!=': (value, wanted) => !isAmong(value, wanted),
  '<': createOrderTest((order) => order < 0),
  '>': createOrderTest((order) => order > 0),
  '<=': createOrderTest((order) => order <= 0),
  '>=': createOrderTest((order) => order >= 0),
  IN: isAmong,
  'NOT IN': (value, wanted) => !isAmong(value, wanted),
  LIKE: isLike,
  'NOT LIKE': (value, wanted) => !isLike(value, wanted),
  'CONTAINS ANY': (value, wanted) => wanted.some((item) => has(value, item)),
  'CONTAINS ALL': (value, wanted) => wanted.every((item) => has(value, item)),
  'CONTAINS NONE': (value, wanted) => !wanted.some((item) => has(value, item)),
  'IS NULL': isMissing,
  'IS NOT NULL': (value, wanted) => !isMissing(value, wanted),
  DURING: () => true,
  BETWEEN: (value, [low = '', high = '']) => compare(value, low) >= 0 && compare(value, high) <= 0,
  REGEXP_MATCH: isMatch,
  'NOT REGEXP_MATCH': (value, wanted) => !isMatch(value, wanted),
}

const matchesCondition = ({ field, operator, values }: Condition, row: Row): boolean =>
  TESTS[operator](row[field.name], values.map(unquoteLiteral))
