import { EMPTY_PLAN, type Filter, type Having, type Plan, toGroupKey, toMeasureKey } from '../plan/plan.ts'
import { countSteps, findPath, isUpwards } from '../schema/join-paths.ts'
import { type Column, type Table, isDate, isMeasure, listDateColumns } from '../schema/model.ts'
import type { Absences } from './absences.ts'
import { getColumn, getTable, isDateMention } from './question.ts'
import type { Reader } from './reader.ts'

export interface Draft {
  readonly plan: Plan
  /** Tokens that were used beside mentions and phrases. */
  readonly used: ReadonlySet<number>
  /** What was assumed without being said; each makes the reading less sure. */
  readonly doubts: readonly { readonly reason: string; readonly cost: number }[]
}

export interface Ending {
  readonly base: Table | undefined
  readonly columns?: readonly Column[]
  readonly order?: Plan['order']
  readonly limit?: number | null
  readonly having?: readonly Having[]
  readonly share?: Plan['share'] | undefined
  readonly difference?: Plan['difference']
  /** The unit of time was used already. */
  readonly skipsUnits?: boolean
}

const COMPARING = new Set(['versus', 'vs', 'compare', 'compared', 'against'])

export const isComparing = ({ question }: Reader): boolean => question.tokens.some(({ lower }) => COMPARING.has(lower))

/** Adds what every question may hold besides: values, times, units of time, and what was named without a part of its own. */
export function finishPlan(reader: Reader, absences: Absences, ending: Ending): Draft | undefined {
  const { base } = ending
  if (!base) return undefined
  const { question, groups, measures, doubts, used, filters, isRatio, over } = reader
  const all: Filter[] = [...filters, ...readValues(reader), ...absences.toFilters(base)]
  const timed = absences.hasTime ? [] : readTimes(reader, base)
  all.push(...timed)
  addUnits(reader, base, ending)
  if (isComparing(reader) && groups.length === 0) {
    const several = all.find((filter) => filter.kind === 'in' && filter.values.length > 1)
    if (several?.kind === 'in') groups.push({ kind: 'column', column: several.column, unit: null })
  }
  all.push(...readLeftOver(reader, ending, timed))
  for (const mention of question.mentions) {
    if (mention.weight < 0.68) reader.doubt(mention.words, 0.1)
    if (mention.isAmbiguous) reader.doubt(mention.words, 0.14)
  }
  const plan: Plan = {
    ...EMPTY_PLAN,
    base,
    columns: ending.columns ?? [],
    difference: ending.difference ?? null,
    measures: keepFirst(measures, toMeasureKey),
    isRatio,
    groups: keepFirst(groups, toGroupKey),
    filters: all,
    having: ending.having ?? [],
    order: ending.order ?? null,
    limit: ending.limit ?? null,
    share: ending.share ?? null,
    over,
  }
  return { plan, used, doubts }
}

function addUnits(reader: Reader, base: Table, { skipsUnits = false }: Ending): void {
  const { question, groups } = reader
  const { units } = question.phrases
  for (const { unit } of skipsUnits ? [] : units) {
    const column = pickDate(reader, base)
    if (column) groups.unshift({ kind: 'column', column, unit })
    else reader.doubt('the date to group by', 0.5)
  }
  const [first] = question.times
  if (!isComparing(reader) || question.times.length < 2 || units.length > 0 || !first?.unit) return
  const column = pickDate(reader, base)
  if (column) groups.unshift({ kind: 'column', column, unit: first.unit })
}

/** What was named and has no part yet still says which rows are meant. */
function readLeftOver(reader: Reader, { base, columns }: Ending, timed: readonly Filter[]): Filter[] {
  const { question, groups, measures, doubt } = reader
  const found: Filter[] = []
  for (const mention of reader.free()) {
    const table = getTable(mention)
    const column = getColumn(mention)
    const isGrouped = groups.some((group) => group.kind === 'table' && group.table === table)
    if (table && base && table !== base && !isGrouped) {
      const path = findPath(question.model, base, table)
      if (!path) doubt(mention.words, 0.3)
      else if (!isUpwards(path) && columns) found.push({ kind: 'exists', table, filters: [], isNegated: false })
      continue
    }
    if (!column || isShown(column, columns ?? [], timed)) continue
    const isOfRows = columns !== undefined || measures[0]?.expression.kind === 'rows'
    if (column.isNullable && !isMeasure(column) && isOfRows) found.push({ kind: 'null', column, isNull: false })
    else doubt(mention.words, 0.12)
  }
  return found
}

const isShown = (column: Column, columns: readonly Column[], timed: readonly Filter[]): boolean =>
  isDate(column) ||
  columns.includes(column) ||
  timed.some((filter) => filter.kind === 'time' && filter.column === column)

export function readValues({ roles, free }: Reader): Filter[] {
  const byColumn = new Map<Column, Set<string>>()
  for (const mention of free()) {
    if (mention.target.kind !== 'value') continue
    roles.set(mention, 'filter')
    const { column, value } = mention.target
    byColumn.set(column, (byColumn.get(column) ?? new Set()).add(value))
  }
  return [...byColumn].map(([column, values]) => ({ kind: 'in', column, values: [...values], isNegated: false }))
}

/** The date that is named, or else the main date of the table or of one it belongs to. */
function pickDate({ question, roles }: Reader, base: Table): Column | undefined {
  const { model, mentions } = question
  const named = mentions.find((one) => isDateMention(one) && countSteps(model, base, one.target.table) < 4)
  if (named) {
    roles.set(named, 'date')
    return getColumn(named)
  }
  const [own] = listDateColumns(base)
  if (own) return own
  const near = model.tables
    .flatMap((table) => {
      const [date] = listDateColumns(table)
      const path = findPath(model, base, table)
      if (!date || !path || !isUpwards(path)) return []
      return [{ date, rank: path.steps.length + (/birth|hire|join|regist|found/i.test(date.name) ? 2 : 0) }]
    })
    .toSorted((a, b) => a.rank - b.rank)
  return near[0]?.date
}

function readTimes(reader: Reader, base: Table): Filter[] {
  const { times, model } = reader.question
  if (times.length === 0) return []
  const ranges = times.map(({ range }) => range)
  const column = pickDate(reader, base)
  if (column) return [{ kind: 'time', column, ranges }]
  const child = model.tables.find((table) => listDateColumns(table).length > 0 && countSteps(model, base, table) === 1)
  const date = child && listDateColumns(child)[0]
  reader.doubt('the date', date ? 0.1 : 0.5)
  return date ? [{ kind: 'time', column: date, ranges }] : []
}

function keepFirst<T>(list: readonly T[], toKey: (item: T) => string): T[] {
  return [...new Map(list.toReversed().map((item) => [toKey(item), item])).values()].toReversed()
}
