import type { Having, Measure } from '../plan/plan.ts'
import { findPath, isUpwards } from '../schema/join-paths.ts'
import { type Column, type Table, isDate, isMeasure } from '../schema/model.ts'
import { expandParts, splitName, toStems } from '../schema/names.ts'
import { findHintedColumn, findQuantityColumn, isAdditive } from './column-hints.ts'
import type { Mention } from './link.ts'
import type { Comparison } from './phrases.ts'
import { getColumn, getTable, isNear, isNearBesideValues, isNumber } from './question.ts'
import { type Reader, getAggregateBefore, toMeasure } from './reader.ts'

/** "over 500 euros" means an amount of money whatever the column's name. */
const CURRENCIES = new Set(['euro', 'euros', 'dollar', 'dollars', 'pounds', 'francs', 'bucks'])

export interface ComparedMention {
  readonly comparison: Comparison
  readonly mention: Mention | undefined
}

export function findComparedMentions(reader: Reader): ComparedMention[] {
  const { question, roles, used } = reader
  const { phrases, tokens } = question
  const comparedMentions: ComparedMention[] = []
  for (const comparison of phrases.comparisons) {
    if (reader.handled.has(comparison)) continue
    const namedMention = comparison.isTimes ? undefined : skipUnit(reader, comparison, findNamed(reader, comparison))
    if (namedMention) roles.set(namedMention, 'compared')
    const mention = namedMention && toOwnUnit(reader, comparison, namedMention)
    if (CURRENCIES.has(tokens[comparison.end]?.lower ?? '')) used.add(comparison.end)
    comparedMentions.push({ comparison, mention })
  }
  for (const { index } of tokens) {
    if (tokens[index]?.lower === 'than' && !phrases.used.has(index) && !used.has(index))
      reader.doubt('what is compared', 0.45)
  }
  comparedMentions.push(...findEqual(reader))
  return comparedMentions
}

/** "quantity 2", "5 star hotels" */
function findEqual({ question, roles, free, used }: Reader): ComparedMention[] {
  const { mentions, phrases, tokens, times } = question
  const isInside = (at: number) => [...times, ...mentions].some(({ start, end }) => at >= start && at < end)
  return tokens.flatMap(({ number, index }): ComparedMention[] => {
    if (number === null || phrases.used.has(index) || used.has(index) || isInside(index)) return []
    const mention = free().find(
      (candidate) =>
        isNumber(candidate) &&
        (candidate.start === index + 1 ||
          (candidate.end <= index && isNear(question, { from: candidate.end, to: index, most: 2 }))),
    )
    if (!mention) return []
    roles.set(mention, 'compared')
    used.add(index)
    const span = { start: index, end: index + 1 }
    const comparison = {
      ...span,
      comparator: '=',
      value: number,
      upper: null,
      adjective: null,
      isTimes: false,
    } as const
    return [{ comparison, mention }]
  })
}

/** "more than 10 orders", "price below 50"; "severity 3 or higher alerts": the noun right before the number wins. */
function findNamed({ question, free }: Reader, { start, end }: Comparison): Mention | undefined {
  const before = free()
    .filter(
      (mention) =>
        isNumber(mention) && mention.end <= start && isNear(question, { from: mention.end, to: start, most: 3 }),
    )
    .at(-1)
  if (before?.end === start) return before
  const after = free().find(
    (mention) =>
      (isNumber(mention) || getTable(mention) !== undefined) &&
      mention.start >= end &&
      (isNear(question, { from: end, to: mention.start, most: 1 }) ||
        isNearBesideValues(question, { from: end, to: mention.start, most: 2 })),
  )
  return after ?? before
}

/** "videos longer than 90 seconds": the word is a unit if the adjective names the column. */
function skipUnit(reader: Reader, { adjective, end }: Comparison, mention: Mention | undefined): Mention | undefined {
  const { question, roles } = reader
  if (!mention || !adjective || mention.start !== end || !UNITS[question.tokens[end]?.stem ?? '']) return mention
  const subject = question.mentions.find((candidate) => getTable(candidate) && candidate.start < end)
  const column = subject && findHintedColumn(subject.target.table, listHints(adjective))
  if (!column || getColumn(mention)?.table === subject.target.table) return mention
  roles.set(mention, 'compared')
  return undefined
}

/** "trips over 200 km": the trip's kilometres, not those of its car. */
function toOwnUnit({ question }: Reader, { end }: Comparison, mention: Mention): Mention {
  const unit = question.tokens[end]?.stem ?? ''
  const subject = question.mentions.find((candidate) => getTable(candidate) && candidate.start < end)
  const isUnit = mention.start === end && mention.end === end + 1 && UNITS[unit] !== undefined
  if (!subject || !isUnit || getColumn(mention)?.table === subject.target.table) return mention
  const { table } = subject.target
  const [column, second] = table.columns.filter(
    (other) => isMeasure(other) && toStems(expandParts(splitName(other.name))).includes(unit),
  )
  return column && !second ? { ...mention, target: { kind: 'column', table, column } } : mention
}

interface Conditions {
  readonly subject: Mention | undefined
  readonly having: Having[]
}

export function applyComparison(reader: Reader, comparedMention: ComparedMention, conditions: Conditions): void {
  const { comparison, mention } = comparedMention
  const { subject, having } = conditions
  const { comparator, value, upper } = comparison
  const push = (measure: Measure) => void having.push({ measure, comparator, value, upper })
  if (comparison.isTimes) {
    const child = findCountedChild(reader, subject)
    if (child) push({ aggregate: 'count', expression: { kind: 'rows', table: child } })
    else reader.doubt('what is counted', 0.4)
    return
  }
  if (!mention) {
    compareByHint(reader, comparison, subject)
    return
  }
  const counts = getTable(mention)
  const column = getColumn(mention)
  if (counts) {
    countRows(reader, counts, { comparison, subject, push })
    return
  }
  if (column && !isOfGroups(reader, column, subject)) addFilter(reader, column, comparison)
  else {
    const said = getAggregateBefore(reader, mention)
    // "students with a mark below 40": one of their marks, or all of them together?
    if (column && !said && !isAdditive(column)) reader.doubt('one row or all of them', 0.45)
    push(toMeasure(reader, mention, said))
  }
}

interface CountComparison {
  readonly comparison: Comparison
  readonly subject: Mention | undefined
  push(measure: Measure): void
}

function countRows(
  reader: Reader,
  counts: Table,
  { comparison: { comparator, value }, subject, push }: CountComparison,
): void {
  const isOther = subject !== undefined && counts !== subject.target.table
  const isFew = comparator === '<' || comparator === '<='
  if (isFew && isOther && getTable(subject)) reader.doubt('those with none', 0.45)
  if (isOther && comparator === '>=' && value === 1)
    reader.filters.push({ kind: 'exists', table: counts, filters: [], isNegated: false })
  else push({ aggregate: 'count', expression: { kind: 'rows', table: counts } })
}

function findCountedChild({ question, free }: Reader, subject: Mention | undefined): Table | undefined {
  const namedMention = free().find((mention) => getTable(mention) && mention !== subject)
  return namedMention?.target.table ?? (subject && findQuantityColumn(question.model, subject.target.table)?.table)
}

function isOfGroups({ question }: Reader, column: Column, subject: Mention | undefined): boolean {
  if (!subject) return false
  const { table } = subject.target
  const dimension = getColumn(subject)
  if (column.table !== table) return isUpwards(findPath(question.model, column.table, table))
  return dimension !== undefined && !isDate(dimension)
}

const UNITS: Readonly<Record<string, readonly [measures: string, size: number]>> = {
  second: ['time', 1],
  minut: ['time', 60],
  hour: ['time', 3600],
  gram: ['weight', 1],
  kg: ['weight', 1000],
  kilogram: ['weight', 1000],
  tonn: ['weight', 1_000_000],
  met: ['distance', 1],
  meter: ['distance', 1],
  metr: ['distance', 1],
  km: ['distance', 1000],
  kilomet: ['distance', 1000],
  kilometr: ['distance', 1000],
}

/** Factor from the unit in the question to that of the column, e.g. 60 for hours on a column in minutes. */
function getUnitFactor({ question, used }: Reader, column: Column, { end }: Comparison): number {
  const [measures, size] = UNITS[question.tokens[end]?.stem ?? ''] ?? []
  if (measures === undefined || size === undefined) return 1
  const units = toStems(expandParts(splitName(column.name))).flatMap((part) => {
    const own = UNITS[part]
    return own?.[0] === measures ? [own[1]] : []
  })
  const own = units.at(-1)
  if (own === undefined) return 1
  used.add(end)
  return size / own
}

const toCents = ({ name }: Column, value: number): number => (/(?:^|_)cents?$|Cents$/.test(name) ? value * 100 : value)

function addFilter(reader: Reader, column: Column, comparison: Comparison): void {
  const { filters } = reader
  const { comparator } = comparison
  const factor = getUnitFactor(reader, column, comparison)
  const value = toCents(column, comparison.value * factor)
  const upper = comparison.upper === null ? null : toCents(column, comparison.upper * factor)
  if (comparator === 'between') filters.push({ kind: 'between', column, low: value, high: upper ?? value })
  else filters.push({ kind: 'compare', column, comparator, value })
}

function compareByHint(reader: Reader, comparison: Comparison, subject: Mention | undefined): void {
  const table = subject?.target.table
  const birth = table && isAgeComparison(reader, comparison) ? findHintedColumn(table, ['birth']) : undefined
  const column = birth ?? (table && findHintedColumn(table, listHints(comparison.adjective)))
  if (!column) reader.doubt('which number is compared', 0.5)
  else if (isDate(column)) filterAge(reader, column, comparison)
  else {
    addFilter(reader, column, comparison)
    if (!comparison.adjective) reader.doubt('which number is compared', toGuessCost(reader, column, comparison))
  }
}

const MAX_AGE = 120

/** "players under 21": a bare number next to persons is their age. */
const isAgeComparison = ({ question }: Reader, { adjective, value, end }: Comparison): boolean =>
  adjective === null &&
  Number.isInteger(value) &&
  value <= MAX_AGE &&
  !CURRENCIES.has(question.tokens[end]?.lower ?? '') &&
  !/^[$€£]/.test(question.tokens[end - 1]?.text ?? '')

function toGuessCost({ question }: Reader, column: Column, { end }: Comparison): number {
  const isOnly = column.table.columns.every((other) => other === column || !isMeasure(other))
  if (!isOnly) return 0.42
  return CURRENCIES.has(question.tokens[end]?.lower ?? '') ? 0.1 : 0.2
}

function listHints(adjective: string | null): string[] {
  switch (adjective) {
    case null:
      return ['price', 'amount', 'fee', 'cost', 'value', 'total', 'salary', 'quantity', 'score']
    case 'older':
    case 'younger':
      return ['birth', 'age']
    case 'longer':
    case 'shorter':
      return ['duration', 'length', 'minutes', 'distance', 'runtime']
    case 'heavier':
      return ['weight']
    case 'taller':
      return ['height']
    default:
      return ['price', 'fee', 'cost', 'amount']
  }
}

function filterAge({ filters, question }: Reader, column: Column, { comparator, value }: Comparison): void {
  const { now } = question
  const year = now.getUTCFullYear() - value
  const born = new Date(Date.UTC(year, now.getUTCMonth(), now.getUTCDate())).toISOString().slice(0, 10)
  const isOlder = comparator === '>' || comparator === '>='
  const range = isOlder
    ? { from: null, to: born, label: `older than ${value}` }
    : { from: born, to: null, label: `younger than ${value}` }
  filters.push({ kind: 'time', column, ranges: [range] })
}
