import { findJoinPath, isManyToOnePath } from '../schema/join-paths.ts'
import { type Column, type Table, isDate, isMeasure } from '../schema/model.ts'
import { splitName, toEnglishName, toStems } from '../schema/names.ts'
import { isPastForm } from '../words/stem.ts'
import type { SchemaTarget } from '../schema/lexicon.ts'
import type { Mention } from './find-mentions.ts'
import { type Question, isAmountMention } from './scan-question.ts'
import { DERIVED_MATCH, SURE_MATCH } from '../schema/match-scores.ts'

/** "How much did we spend": a word for a table may mean its amount column. */
export function preferAmountColumns(question: Question): Question {
  const { phrases, mentions, tokens } = question
  const wantsAmount =
    phrases.aggregates.some(({ aggregate }) => !aggregate.startsWith('count')) ||
    (phrases.superlatives.some(({ isBare }) => isBare) && mentions.length === 1)
  if (!wantsAmount || mentions.some((mention) => isAmountMention(mention))) return question
  // "average days until it is paid" asks for a time.
  if (phrases.aggregates.some(({ end }) => TIME_WORDS.has(tokens[end]?.lower ?? '') && !isAmountRequested(question)))
    return question
  const isHowMuch = isAmountRequested(question)
  const isSuperlative = phrases.superlatives.some(({ isBare }) => isBare) && mentions.length === 1
  const isAverage = phrases.aggregates.some(({ aggregate }) => aggregate === 'avg' || aggregate === 'median')
  const isTime = isHowMuch && phrases.aggregates.some(({ end }) => tokens[end]?.lower === 'time')
  const measuredMention = isHowMuch ? undefined : findMeasurementOfValue(question)
  if (measuredMention)
    return { ...question, mentions: [...mentions, measuredMention].toSorted((a, b) => a.start - b.start) }
  for (const [mentionIndex, mention] of mentions.entries()) {
    const target =
      (isTime ? findTimeTarget(mention) : undefined) ??
      findAmountTarget(mention, isHowMuch) ??
      (isHowMuch || isAverage || isSuperlative ? findOnlyAmountTarget(question, mention) : undefined)
    if (target) return { ...question, mentions: mentions.with(mentionIndex, { ...mention, target }) }
  }
  return question
}

const RESULT_COLUMN_NAME = /(?:^|_)(?:value|reading|result|measurement|measured)(?:_|$)/

/** "average temperature", where "temperature" is a stored kind of sensor: its column of readings. */
function findMeasurementOfValue({ model, mentions, phrases }: Question): Mention | undefined {
  const aggregate = phrases.aggregates.find(
    (aggregatePhrase) => !aggregatePhrase.aggregate.startsWith('count') && aggregatePhrase.aggregate !== 'sum',
  )
  const [superlative] = phrases.superlatives
  const valueStart = aggregate?.end ?? (superlative?.isBare ? superlative.end : undefined)
  const valueMention = mentions.find(({ target, start }) => target.kind === 'value' && start === valueStart)
  if (!valueMention) return undefined
  const childTables = model.foreignKeys.filter(({ to }) => to === valueMention.target.table).map(({ from }) => from)
  const [column, secondColumn] = [valueMention.target.table, ...childTables].flatMap((table) =>
    table.columns.filter((other) => isMeasure(other) && RESULT_COLUMN_NAME.test(toEnglishName(other.name))),
  )
  if (!column || secondColumn) return undefined
  const target: SchemaTarget = { kind: 'column', table: column.table, column }
  return { ...valueMention, target, matchScore: DERIVED_MATCH, isAmbiguous: false, candidates: [] }
}

const TIME_WORDS = new Set(['time', 'days', 'hours', 'minutes', 'weeks'])

/** "by order total": the column `total` of orders. */
export const isTotalAfterTable = (
  { tokens, mentions }: Pick<Question, 'tokens' | 'mentions'>,
  tokenIndex: number,
): boolean =>
  tokens[tokenIndex]?.lower === 'total' &&
  mentions.some(({ target, end }) => target.kind === 'table' && end === tokenIndex)

/** "How much", "total value of", "sum of": an amount is wanted; a bare "total" may be a count. */
const isAmountRequested = ({ phrases, tokens, mentions }: Question): boolean =>
  phrases.aggregates.some(({ aggregate, start, end }) => {
    if (tokens[end - 1]?.lower === 'much' || tokens[start]?.lower === 'sum') return true
    if (isTotalAfterTable({ tokens, mentions }, start)) return true
    const mentionAfter = mentions.find((mention) => mention.start === end)
    const isPastVerb =
      mentionAfter !== undefined && mentionAfter.target.kind === 'table' && isPastForm(mentionAfter.words)
    return aggregate === 'sum' && (isPastVerb || /^(?:value|worth|of)$/.test(tokens[end]?.lower ?? ''))
  })

/** "how much time was watched": the table's only column in a unit of time. */
function findTimeTarget({ target: { table } }: Mention): SchemaTarget | undefined {
  const [column, secondColumn] = table.columns.filter(
    (other) => isMeasure(other) && /(?:^|_)(?:seconds|minutes|hours)(?:_|$)/.test(toEnglishName(other.name)),
  )
  return column && !secondColumn ? { kind: 'column', table, column } : undefined
}

/** "how much in fines": the amount column named like its table. */
function findAmountNamedLikeTable(table: Table, tableStems: ReadonlySet<string>): Column | undefined {
  const [amountColumn, secondAmount] = table.columns.filter(
    (column) =>
      isMeasure(column) &&
      column.kind === 'number' &&
      toStems(splitName(column.name)).some((part) => tableStems.has(part)),
  )
  return secondAmount ? undefined : amountColumn
}

const MAX_AMOUNT_SCORE_GAP = 0.35
const CENTS_COLUMN_NAME = /(?:^|_)cents?$|Cents$/
const MONEY_COLUMN_NAME = /(?:^|_)(?:amount|price|cost|fee|total|sum|value)(?:_|$)/

/** "average donation", "how much was paid in cash": all words belong to one table with one amount. */
function findOnlyAmountTarget(
  { mentions, phrases, model, tokens }: Question,
  { target }: Mention,
): SchemaTarget | undefined {
  const { table } = target
  if (phrases.aggregates.some(({ aggregate }) => aggregate.startsWith('count'))) return undefined
  const isTableOrDate = target.kind === 'table' || (target.kind === 'column' && isDate(target.column))
  const isOtherTableMentioned = mentions.some(
    (mention) => !isManyToOnePath(findJoinPath(model, table, mention.target.table)),
  )
  if (!isTableOrDate || isOtherTableMentioned || (target.kind !== 'table' && phrases.groupingWords.length > 0))
    return undefined
  const amounts = table.columns.filter(
    (other) =>
      isMeasure(other) &&
      (other.kind === 'number' || CENTS_COLUMN_NAME.test(other.name)) &&
      MONEY_COLUMN_NAME.test(toEnglishName(other.name)),
  )
  const totals = amounts.filter(({ name }) => /(?:^|_)total(?:_|$)/.test(toEnglishName(name)))
  const isTotal = phrases.aggregates.some(({ start }) => tokens[start]?.lower === 'total')
  const [column, secondAmount] = isTotal && totals.length > 0 ? totals : amounts
  return column && !secondAmount ? { kind: 'column', table, column } : undefined
}

/** The amount column that a word for a table stands for: "total claimed" means `claimed_usd`. */
function findAmountTarget(
  { target, candidates, matchScore, words }: Mention,
  isHowMuch: boolean,
): SchemaTarget | undefined {
  if (target.kind !== 'table') return undefined
  const { table } = target
  // "total claimed" is `claimed_usd` rather than a count of claims.
  const participleColumn =
    /.{3}ed$/i.test(words) &&
    table.columns.find((candidate) => isMeasure(candidate) && splitName(candidate.name).includes(words.toLowerCase()))
  if (participleColumn) return { kind: 'column', table, column: participleColumn }
  const tableStems = new Set(toStems(splitName(table.name)))
  const namedColumn = isHowMuch ? findAmountNamedLikeTable(table, tableStems) : undefined
  if (namedColumn) return { kind: 'column', table, column: namedColumn }
  const columnNamedByTablePart =
    tableStems.size > 1 &&
    table.columns.find(
      (candidate) => isMeasure(candidate) && tableStems.has(toStems(splitName(candidate.name)).join(' ')),
    )
  if (columnNamedByTablePart) return { kind: 'column', table, column: columnNamedByTablePart }
  if (matchScore >= SURE_MATCH) return undefined
  const amountCandidate = candidates.find(
    (candidate) =>
      candidate.matchScore >= matchScore - MAX_AMOUNT_SCORE_GAP &&
      (candidate.target.kind === 'line_value' ||
        (candidate.target.kind === 'column' && isMeasure(candidate.target.column) && candidate.target.table === table)),
  )
  return amountCandidate?.target
}
