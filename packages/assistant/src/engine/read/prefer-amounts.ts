import { findPath, isUpwards } from '../schema/join-paths.ts'
import { type Column, type Table, isDate, isMeasure } from '../schema/model.ts'
import { splitName, toEnglishName, toStems } from '../schema/names.ts'
import { isPastForm } from '../words/stem.ts'
import type { Target } from '../schema/lexicon.ts'
import type { Mention } from './link.ts'
import { type Question, isAmount } from './question.ts'

/** "How much did we spend": a word for a table may mean its amount column. */
export function preferAmounts(question: Question): Question {
  const { phrases, mentions, tokens } = question
  const wantsAmount =
    phrases.aggregates.some(({ aggregate }) => !aggregate.startsWith('count')) ||
    (phrases.superlatives.some(({ isPlain }) => isPlain) && mentions.length === 1)
  if (!wantsAmount || mentions.some((mention) => isAmount(mention))) return question
  // "average days until it is paid" asks for a time.
  if (phrases.aggregates.some(({ end }) => TIMES.has(tokens[end]?.lower ?? '') && !isAmountQuestion(question)))
    return question
  const isHowMuch = isAmountQuestion(question)
  const isSuperlative = phrases.superlatives.some(({ isPlain }) => isPlain) && mentions.length === 1
  const isAverage = phrases.aggregates.some(({ aggregate }) => aggregate === 'avg' || aggregate === 'median')
  const isTime = isHowMuch && phrases.aggregates.some(({ end }) => tokens[end]?.lower === 'time')
  const measuredMention = isHowMuch ? undefined : findMeasured(question)
  if (measuredMention)
    return { ...question, mentions: [...mentions, measuredMention].toSorted((a, b) => a.start - b.start) }
  for (const [at, mention] of mentions.entries()) {
    const target =
      (isTime ? findTime(mention) : undefined) ??
      findAmount(mention, isHowMuch) ??
      (isHowMuch || isAverage || isSuperlative ? findOnlyAmount(question, mention) : undefined)
    if (target) return { ...question, mentions: mentions.with(at, { ...mention, target }) }
  }
  return question
}

const RESULT = /(?:^|_)(?:value|reading|result|measurement|measured)(?:_|$)/

function findMeasured({ model, mentions, phrases }: Question): Mention | undefined {
  const aggregate = phrases.aggregates.find(
    (aggregatePhrase) => !aggregatePhrase.aggregate.startsWith('count') && aggregatePhrase.aggregate !== 'sum',
  )
  const [superlative] = phrases.superlatives
  const at = aggregate?.end ?? (superlative?.isPlain ? superlative.end : undefined)
  const value = mentions.find(({ target, start }) => target.kind === 'value' && start === at)
  if (!value) return undefined
  const below = model.links.filter(({ to }) => to === value.target.table).map(({ from }) => from)
  const [column, second] = [value.target.table, ...below].flatMap((table) =>
    table.columns.filter((other) => isMeasure(other) && RESULT.test(toEnglishName(other.name))),
  )
  if (!column || second) return undefined
  const target: Target = { kind: 'column', table: column.table, column }
  return { ...value, target, weight: 0.85, isAmbiguous: false, candidates: [] }
}

const TIMES = new Set(['time', 'days', 'hours', 'minutes', 'weeks'])

/** "by order total": the column `total` of orders. */
export const isTrailingTotal = ({ tokens, mentions }: Pick<Question, 'tokens' | 'mentions'>, at: number): boolean =>
  tokens[at]?.lower === 'total' && mentions.some(({ target, end }) => target.kind === 'table' && end === at)

/** "How much", "total value of", "sum of": an amount is wanted; a bare "total" may be a count. */
const isAmountQuestion = ({ phrases, tokens, mentions }: Question): boolean =>
  phrases.aggregates.some(({ aggregate, start, end }) => {
    if (tokens[end - 1]?.lower === 'much' || tokens[start]?.lower === 'sum') return true
    if (isTrailingTotal({ tokens, mentions }, start)) return true
    const next = mentions.find((mention) => mention.start === end)
    const isPastVerb = next !== undefined && next.target.kind === 'table' && isPastForm(next.words)
    return aggregate === 'sum' && (isPastVerb || /^(?:value|worth|of)$/.test(tokens[end]?.lower ?? ''))
  })

/** "how much time was watched": the table's only column in a unit of time. */
function findTime({ target: { table } }: Mention): Target | undefined {
  const [column, second] = table.columns.filter(
    (other) => isMeasure(other) && /(?:^|_)(?:seconds|minutes|hours)(?:_|$)/.test(toEnglishName(other.name)),
  )
  return column && !second ? { kind: 'column', table, column } : undefined
}

/** "how much in fines": the amount column named like its table. */
function findNamedAmount(table: Table, own: ReadonlySet<string>): Column | undefined {
  const [only, second] = table.columns.filter(
    (column) =>
      isMeasure(column) && column.kind === 'number' && toStems(splitName(column.name)).some((part) => own.has(part)),
  )
  return second ? undefined : only
}

const CENTS = /(?:^|_)cents?$|Cents$/
const MONEY = /(?:^|_)(?:amount|price|cost|fee|total|sum|value)(?:_|$)/

/** "average donation", "how much was paid in cash": all words belong to one table with one amount. */
function findOnlyAmount({ mentions, phrases, model, tokens }: Question, { target }: Mention): Target | undefined {
  const { table } = target
  if (phrases.aggregates.some(({ aggregate }) => aggregate.startsWith('count'))) return undefined
  const isPlain = target.kind === 'table' || (target.kind === 'column' && isDate(target.column))
  const isFar = mentions.some((mention) => !isUpwards(findPath(model, table, mention.target.table)))
  if (!isPlain || isFar || (target.kind !== 'table' && phrases.groupMarks.length > 0)) return undefined
  const amounts = table.columns.filter(
    (other) =>
      isMeasure(other) && (other.kind === 'number' || CENTS.test(other.name)) && MONEY.test(toEnglishName(other.name)),
  )
  const totals = amounts.filter(({ name }) => /(?:^|_)total(?:_|$)/.test(toEnglishName(name)))
  const isTotal = phrases.aggregates.some(({ start }) => tokens[start]?.lower === 'total')
  const [column, second] = isTotal && totals.length > 0 ? totals : amounts
  return column && !second ? { kind: 'column', table, column } : undefined
}

function findAmount({ target, candidates, weight, words }: Mention, isHowMuch: boolean): Target | undefined {
  if (target.kind !== 'table') return undefined
  const { table } = target
  // "total claimed" is `claimed_usd` rather than a count of claims.
  const done =
    /.{3}ed$/i.test(words) &&
    table.columns.find((candidate) => isMeasure(candidate) && splitName(candidate.name).includes(words.toLowerCase()))
  if (done) return { kind: 'column', table, column: done }
  const ownStems = new Set(toStems(splitName(table.name)))
  const namedColumn = isHowMuch ? findNamedAmount(table, ownStems) : undefined
  if (namedColumn) return { kind: 'column', table, column: namedColumn }
  const column =
    ownStems.size > 1 &&
    table.columns.find(
      (candidate) => isMeasure(candidate) && ownStems.has(toStems(splitName(candidate.name)).join(' ')),
    )
  if (column) return { kind: 'column', table, column }
  if (weight >= 0.9) return undefined
  const other = candidates.find(
    (candidate) =>
      candidate.weight >= weight - 0.35 &&
      (candidate.target.kind === 'line_value' ||
        (candidate.target.kind === 'column' && isMeasure(candidate.target.column) && candidate.target.table === table)),
  )
  return other?.target
}
