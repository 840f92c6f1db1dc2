import type { GroupCondition, Measure } from '../plan/plan.ts'
import { findJoinPath, isManyToOnePath } from '../schema/join-paths.ts'
import { type Column, type Table, isDate, isMeasure } from '../schema/model.ts'
import { expandNameParts, splitName, toStems } from '../schema/names.ts'
import { findHintedColumn, findQuantityColumn, isAdditive } from './column-hints.ts'
import type { Mention } from './find-mentions.ts'
import type { Comparison } from './find-phrases.ts'
import { getColumn, getTable, isNearby, isNearbyIgnoringValues, isNumberMention } from './scan-question.ts'
import { type PlanBuilder, findAggregateBefore, toMeasure } from './plan-builder.ts'
import {
  ASK_BACK_PENALTY,
  GUESSED_COLUMN_PENALTY,
  GUESSED_COUNT_PENALTY,
  NOT_FOUND_PENALTY,
  ONLY_AMOUNT_PENALTY,
  UNREAD_WORD_PENALTY,
} from './confidence/penalties.ts'

/** "over 500 euros" means an amount of money whatever the column's name. */
const CURRENCIES = new Set(['euro', 'euros', 'dollar', 'dollars', 'pounds', 'francs', 'bucks'])

/** A comparison and what is compared; undefined if no words name it: "over 500 euros". */
export interface ComparedMention {
  readonly comparison: Comparison
  readonly mention: Mention | undefined
}

/** "price over 500": finds for every comparison the mention that it compares, and marks it as used. */
export function findComparedMentions(builder: PlanBuilder): ComparedMention[] {
  const { question, mentionRoles, usedTokens } = builder
  const { phrases, tokens } = question
  const comparedMentions: ComparedMention[] = []
  for (const comparison of phrases.comparisons) {
    if (builder.handledComparisons.has(comparison)) continue
    const foundMention = comparison.isNumberOfTimes
      ? undefined
      : omitUnitMention(builder, comparison, findMentionBesideNumber(builder, comparison))
    if (foundMention) mentionRoles.set(foundMention, 'compared')
    const mention = foundMention && toColumnOfSubject(builder, comparison, foundMention)
    if (CURRENCIES.has(tokens[comparison.end]?.lower ?? '')) usedTokens.add(comparison.end)
    comparedMentions.push({ comparison, mention })
  }
  for (const { index } of tokens) {
    if (tokens[index]?.lower === 'than' && !phrases.usedTokens.has(index) && !usedTokens.has(index))
      builder.lowerConfidence('what is compared', ASK_BACK_PENALTY)
  }
  comparedMentions.push(...findBareNumberComparisons(builder))
  return comparedMentions
}

/** "quantity 2", "5 star hotels" */
function findBareNumberComparisons({
  question,
  mentionRoles,
  listUnassignedMentions,
  usedTokens,
}: PlanBuilder): ComparedMention[] {
  const { mentions, phrases, tokens, times } = question
  const isInMention = (at: number) => [...times, ...mentions].some(({ start, end }) => at >= start && at < end)
  return tokens.flatMap(({ number, index }): ComparedMention[] => {
    if (number === null || phrases.usedTokens.has(index) || usedTokens.has(index) || isInMention(index)) return []
    const mention = listUnassignedMentions().find(
      (candidate) =>
        isNumberMention(candidate) &&
        (candidate.start === index + 1 ||
          (candidate.end <= index && isNearby(question, { from: candidate.end, to: index, maxTokens: 2 }))),
    )
    if (!mention) return []
    mentionRoles.set(mention, 'compared')
    usedTokens.add(index)
    const span = { start: index, end: index + 1 }
    const comparison = {
      ...span,
      comparator: '=',
      value: number,
      upper: null,
      adjective: null,
      isNumberOfTimes: false,
    } as const
    return [{ comparison, mention }]
  })
}

/** "more than 10 orders", "price below 50"; "severity 3 or higher alerts": the noun right before the number wins. */
function findMentionBesideNumber(
  { question, listUnassignedMentions }: PlanBuilder,
  { start, end }: Comparison,
): Mention | undefined {
  const mentionBefore = listUnassignedMentions()
    .filter(
      (mention) =>
        isNumberMention(mention) &&
        mention.end <= start &&
        isNearby(question, { from: mention.end, to: start, maxTokens: 3 }),
    )
    .at(-1)
  if (mentionBefore?.end === start) return mentionBefore
  const mentionAfter = listUnassignedMentions().find(
    (mention) =>
      (isNumberMention(mention) || getTable(mention) !== undefined) &&
      mention.start >= end &&
      (isNearby(question, { from: end, to: mention.start, maxTokens: 1 }) ||
        isNearbyIgnoringValues(question, { from: end, to: mention.start, maxTokens: 2 })),
  )
  return mentionAfter ?? mentionBefore
}

/** "videos longer than 90 seconds": the word is a unit if the adjective names the column. */
function omitUnitMention(
  builder: PlanBuilder,
  { adjective, end }: Comparison,
  mention: Mention | undefined,
): Mention | undefined {
  const { question, mentionRoles } = builder
  if (!mention || !adjective || mention.start !== end || !UNIT_SIZES[question.tokens[end]?.stem ?? '']) return mention
  const subject = question.mentions.find((candidate) => getTable(candidate) && candidate.start < end)
  const column = subject && findHintedColumn(subject.target.table, listColumnHints(adjective))
  if (!column || getColumn(mention)?.table === subject.target.table) return mention
  mentionRoles.set(mention, 'compared')
  return undefined
}

/** "trips over 200 km": the trip's kilometres, not those of its car. */
function toColumnOfSubject({ question }: PlanBuilder, { end }: Comparison, mention: Mention): Mention {
  const unitStem = question.tokens[end]?.stem ?? ''
  const subject = question.mentions.find((candidate) => getTable(candidate) && candidate.start < end)
  const isUnit = mention.start === end && mention.end === end + 1 && UNIT_SIZES[unitStem] !== undefined
  if (!subject || !isUnit || getColumn(mention)?.table === subject.target.table) return mention
  const { table } = subject.target
  const [column, secondColumn] = table.columns.filter(
    (other) => isMeasure(other) && toStems(expandNameParts(splitName(other.name))).includes(unitStem),
  )
  return column && !secondColumn ? { ...mention, target: { kind: 'column', table, column } } : mention
}

/** The rows that are compared, and the list to which conditions on groups are added. */
interface ComparisonContext {
  readonly subject: Mention | undefined
  readonly groupConditions: GroupCondition[]
}

/** Turns a comparison into a filter on rows ("price over 50") or a condition on groups ("more than 5 orders"). */
export function applyComparison(
  builder: PlanBuilder,
  comparedMention: ComparedMention,
  conditions: ComparisonContext,
): void {
  const { comparison, mention } = comparedMention
  const { subject, groupConditions } = conditions
  const { comparator, value, upper } = comparison
  const addHaving = (measure: Measure) => void groupConditions.push({ measure, comparator, value, upper })
  if (comparison.isNumberOfTimes) {
    const tableOfTimes = findTableOfTimes(builder, subject)
    if (tableOfTimes) addHaving({ aggregate: 'count', expression: { kind: 'rows', table: tableOfTimes } })
    else builder.lowerConfidence('what is counted', GUESSED_COUNT_PENALTY)
    return
  }
  if (!mention) {
    compareUnnamedColumn(builder, comparison, subject)
    return
  }
  const countedTable = getTable(mention)
  const column = getColumn(mention)
  if (countedTable) {
    compareRowCount(builder, countedTable, { comparison, subject, addHaving })
    return
  }
  if (column && !isColumnOfGroups(builder, column, subject)) addNumberFilter(builder, column, comparison)
  else {
    const aggregateBefore = findAggregateBefore(builder, mention)
    // "students with a mark below 40": one of their marks, or all of them together?
    if (column && !aggregateBefore && !isAdditive(column))
      builder.lowerConfidence('one row or all of them', ASK_BACK_PENALTY)
    addHaving(toMeasure(builder, mention, aggregateBefore))
  }
}

/** A comparison of a number of rows: "more than 5 orders". */
interface CountComparison {
  readonly comparison: Comparison
  readonly subject: Mention | undefined
  addHaving(measure: Measure): void
}

/** "customers with more than 5 orders"; "at least one order" becomes EXISTS. */
function compareRowCount(
  builder: PlanBuilder,
  countedTable: Table,
  { comparison: { comparator, value }, subject, addHaving }: CountComparison,
): void {
  const isOtherTable = subject !== undefined && countedTable !== subject.target.table
  const includesZero = comparator === '<' || comparator === '<='
  if (includesZero && isOtherTable && getTable(subject)) builder.lowerConfidence('those with none', ASK_BACK_PENALTY)
  if (isOtherTable && comparator === '>=' && value === 1)
    builder.filters.push({ kind: 'exists', table: countedTable, filters: [], isNegated: false })
  else addHaving({ aggregate: 'count', expression: { kind: 'rows', table: countedTable } })
}

/** "rented more than 3 times": the table whose rows are counted. */
function findTableOfTimes(
  { question, listUnassignedMentions }: PlanBuilder,
  subject: Mention | undefined,
): Table | undefined {
  const namedMention = listUnassignedMentions().find((mention) => getTable(mention) && mention !== subject)
  return namedMention?.target.table ?? (subject && findQuantityColumn(question.model, subject.target.table)?.table)
}

/** Whether the column has many rows per subject, so that it must be aggregated before it is compared. */
function isColumnOfGroups({ question }: PlanBuilder, column: Column, subject: Mention | undefined): boolean {
  if (!subject) return false
  const { table } = subject.target
  const subjectColumn = getColumn(subject)
  if (column.table !== table) return isManyToOnePath(findJoinPath(question.model, column.table, table))
  return subjectColumn !== undefined && !isDate(subjectColumn)
}

const UNIT_SIZES: Readonly<Record<string, readonly [measures: string, size: number]>> = {
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

/** "over 2 hours" on a column in minutes → 60; undefined unless both have a unit of the same kind. */
function findUnitFactor({ question }: PlanBuilder, column: Column, { end }: Comparison): number | undefined {
  const [quantity, unitSize] = UNIT_SIZES[question.tokens[end]?.stem ?? ''] ?? []
  if (quantity === undefined || unitSize === undefined) return undefined
  const columnUnitSizes = toStems(expandNameParts(splitName(column.name))).flatMap((part) => {
    const columnUnitSize = UNIT_SIZES[part]
    return columnUnitSize?.[0] === quantity ? [columnUnitSize[1]] : []
  })
  const columnUnitSize = columnUnitSizes.at(-1)
  return columnUnitSize === undefined ? undefined : unitSize / columnUnitSize
}

/** "over 20" on `price_cents` compares with 2000. */
const toCents = ({ name }: Column, value: number): number => (/(?:^|_)cents?$|Cents$/.test(name) ? value * 100 : value)

/** Adds a filter that compares the column with the number, converted to the unit of the column. */
function addNumberFilter(builder: PlanBuilder, column: Column, comparison: Comparison): void {
  const { filters, usedTokens } = builder
  const { comparator } = comparison
  const unitFactor = findUnitFactor(builder, column, comparison)
  if (unitFactor !== undefined) usedTokens.add(comparison.end)
  const factor = unitFactor ?? 1
  const columnValue = toCents(column, comparison.value * factor)
  const upper = comparison.upper === null ? null : toCents(column, comparison.upper * factor)
  if (comparator === 'between') filters.push({ kind: 'between', column, low: columnValue, high: upper ?? columnValue })
  else filters.push({ kind: 'compare', column, comparator, value: columnValue })
}

/** "players under 21", "over 500 euros": guesses the column from the adjective or the usual names of amounts. */
function compareUnnamedColumn(builder: PlanBuilder, comparison: Comparison, subject: Mention | undefined): void {
  const table = subject?.target.table
  const birthColumn =
    table && isPersonAgeComparison(builder, comparison) ? findHintedColumn(table, ['birth']) : undefined
  const column = birthColumn ?? (table && findHintedColumn(table, listColumnHints(comparison.adjective)))
  if (!column) builder.lowerConfidence('which number is compared', NOT_FOUND_PENALTY)
  else if (isDate(column)) addAgeFilter(builder, column, comparison)
  else {
    addNumberFilter(builder, column, comparison)
    if (!comparison.adjective)
      builder.lowerConfidence('which number is compared', computeGuessPenalty(builder, column, comparison))
  }
}

const MAX_PERSON_AGE = 120

/** "players under 21": a bare number next to persons is their age. */
const isPersonAgeComparison = ({ question }: PlanBuilder, { adjective, value, end }: Comparison): boolean =>
  adjective === null &&
  Number.isInteger(value) &&
  value <= MAX_PERSON_AGE &&
  !CURRENCIES.has(question.tokens[end]?.lower ?? '') &&
  !/^[$€£]/.test(question.tokens[end - 1]?.text ?? '')

/** How doubtful the guessed column is: less so if it is the only number of its table. */
function computeGuessPenalty({ question }: PlanBuilder, column: Column, { end }: Comparison): number {
  const isOnlyMeasure = column.table.columns.every((other) => other === column || !isMeasure(other))
  if (!isOnlyMeasure) return UNREAD_WORD_PENALTY
  return CURRENCIES.has(question.tokens[end]?.lower ?? '') ? ONLY_AMOUNT_PENALTY : GUESSED_COLUMN_PENALTY
}

/** Words in column names that fit "longer", "older" or a bare number, likeliest first. */
function listColumnHints(adjective: string | null): string[] {
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

/** "older than 30": born before the day 30 years ago. */
function addAgeFilter({ filters, question }: PlanBuilder, column: Column, { comparator, value }: Comparison): void {
  const { now } = question
  const year = now.getUTCFullYear() - value
  const birthday = new Date(Date.UTC(year, now.getUTCMonth(), now.getUTCDate())).toISOString().slice(0, 10)
  const isOlder = comparator === '>' || comparator === '>='
  const range = isOlder
    ? { from: null, to: birthday, label: `older than ${value}` }
    : { from: birthday, to: null, label: `younger than ${value}` }
  filters.push({ kind: 'time', column, ranges: [range] })
}
