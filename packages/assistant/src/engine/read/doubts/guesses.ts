import type { Filter } from '../../plan/plan.ts'
import { findPath, isUpwards } from '../../schema/join-paths.ts'
import { isDate, isMeasure, isYear } from '../../schema/model.ts'
import { expandParts, splitName, toStems } from '../../schema/names.ts'
import { translateGerman } from '../../words/german.ts'
import { isPastForm, stemWord } from '../../words/stem.ts'
import type { PlanEnding } from '../plan-ending.ts'
import type { Mention } from '../link.ts'
import { isTrailingTotal } from '../prefer-amounts.ts'
import { getColumn, getTable, isAmount } from '../question.ts'
import type { Reader } from '../reader.ts'

interface FilteredEnding extends PlanEnding {
  readonly filters: readonly Filter[]
}

const ASKS_BACK = 0.45

/** A reading that rests on a guess is offered instead of answered. */
export function flagGuesses(reader: Reader, ending: FilteredEnding): void {
  flagUnusedOperators(reader, ending)
  flagUnsaidRatios(reader)
  flagSmallWords(reader)
  flagMoneyOfRows(reader)
  flagDateGroups(reader)
  flagDescribingColumns(reader, ending)
  flagUnsaidSums(reader)
  flagFormsOfValues(reader, ending)
  flagUnnamedRows(reader, ending)
  flagRates(reader)
  flagAveragedCounts(reader)
  flagAmountGroups(reader)
  flagPlannedAmounts(reader)
  flagSynonymsElsewhere(reader)
  flagUnclearWho(reader)
  flagValueOfRows(reader)
  flagSynonymRows(reader, ending)
}

/** "largest", "in 2025", "by month", "average": each must have an effect on the query. */
function flagUnusedOperators(reader: Reader, ending: FilteredEnding): void {
  const { phrases, times } = reader.question
  const { filters, share } = ending
  const isMissing =
    hasUnreadWords(reader, ending) ||
    (times.length > 0 && !hasTime([...filters, ...(share?.part ?? [])])) ||
    (phrases.share !== null && !share)
  if (isMissing) reader.doubt('a part of the question', ASKS_BACK)
}

function hasUnreadWords({ question, groups, measures, over, isRanked }: Reader, ending: FilteredEnding): boolean {
  const { phrases } = question
  const computed = [...measures, ...(ending.having ?? []).map(({ measure }) => measure)]
  const isDefined = computed.some(({ expression }) => expression.kind === 'metric')
  const isOver = over === 'average' || ending.difference !== undefined || isDefined
  const has = (...wanted: string[]) => computed.some(({ aggregate }) => wanted.includes(aggregate))
  const says = (wanted: string) => phrases.aggregates.some(({ aggregate }) => aggregate === wanted)
  const isByTime = groups.some((group) => group.kind === 'column' && group.unit !== null)
  return (
    (isRanked && !ending.order && ending.limit === undefined && !has('min', 'max')) ||
    (phrases.units.length > 0 && !ending.skipsUnits && over === 'rows' && !isByTime) ||
    (says('median') && !isDefined && !has('median')) ||
    (says('avg') && !isOver && !has('avg'))
  )
}

const hasTime = (filters: readonly Filter[]): boolean =>
  filters.some((filter) => {
    if (filter.kind === 'exists') return hasTime(filter.filters)
    return filter.kind === 'time' || (filter.kind === 'compare' && isYear(filter.column))
  })

/** "per 1000 inhabitants" divides; the best of marks is not their largest sum. */
function flagUnsaidRatios({ question, measures, doubt }: Reader): void {
  const { tokens } = question
  const isPerNumber = tokens.some(({ lower, index }) => lower === 'per' && (tokens[index + 1]?.number ?? null) !== null)
  const isQuality = tokens.some(({ lower }) => lower === 'best' || lower === 'worst')
  const isAdded = measures.some(({ aggregate, expression }) => aggregate === 'sum' && expression.kind === 'column')
  if (isPerNumber || (isQuality && isAdded)) doubt('how it is divided', ASKS_BACK)
}

/** Stop words elsewhere, but a property in front of a noun: "living artists", "current contracts". */
const DESCRIBING = new Set('living live working used other current existing available returning'.split(' '))
const NOUNS = new Set(['work', 'works', 'records', 'entries'])
const BEFORE_NOUNS = new Set('many most of the all our more fewest number'.split(' '))

function flagSmallWords({ question, doubt }: Reader): void {
  const { tokens, mentions } = question
  const isInside = (at: number) => mentions.some(({ start, end }) => at >= start && at < end)
  for (const { index, lower } of tokens) {
    if (isInside(index)) continue
    const before = tokens[index - 1]?.lower
    const isNoun = NOUNS.has(lower) && (before === undefined || BEFORE_NOUNS.has(before))
    const isDescribing = DESCRIBING.has(lower) && mentions.some(({ start }) => start === index + 1)
    if (isNoun || isDescribing) doubt(lower, ASKS_BACK)
  }
}

const MONEY = new Set(
  'revenue turnover income earnings proceeds spend spending expenditure profit cost costs margin'
    .split(' ')
    .map((word) => stemWord(word)),
)

function flagMoneyOfRows({ question, doubt, measures }: Reader): void {
  const hasAmount = measures.some(({ expression }) => expression.kind !== 'rows')
  for (const mention of question.mentions) {
    const last = stemWord(mention.words.split(/\s+/).at(-1) ?? '')
    if (getTable(mention) && MONEY.has(last) && !hasAmount) doubt(mention.words, ASKS_BACK)
  }
}

/** "by customers" is not by the date on which they became customers. */
function flagDateGroups({ question, roles, doubt }: Reader): void {
  for (const mention of question.mentions) {
    const column = getColumn(mention)
    if (column && isDate(column) && roles.get(mention) === 'group' && mention.weight < 0.9) {
      doubt(mention.words, ASKS_BACK)
    }
  }
}

/** "severe treatments": filters by the column; showing it is not enough. */
function flagDescribingColumns({ question, roles, doubt }: Reader, { columns }: PlanEnding): void {
  if (!columns) return
  for (const mention of question.mentions) {
    const isWith = question.tokens[mention.start - 1]?.lower === 'with' && getColumn(mention)?.kind === 'integer'
    if (isWith && roles.get(mention) === 'measure') doubt(mention.words, ASKS_BACK)
  }
  const isShown = (mention: Mention) => {
    const column = getColumn(mention)
    return column !== undefined && column.kind !== 'boolean' && ['entity', 'measure'].includes(roles.get(mention) ?? '')
  }
  for (const mention of question.mentions) {
    const noun = question.mentions.find((candidate) => candidate.start === mention.end && getTable(candidate))
    if (noun && isShown(mention)) doubt(mention.words, ASKS_BACK)
  }
}

/** "teams founded before 1900" asks for teams, not for a sum over them. */
function flagUnsaidSums({ question, measures, groups, asked, filters, doubt }: Reader): void {
  const { aggregates, units, share, superlatives } = question.phrases
  const isSaid = [...aggregates, ...units, ...groups, ...superlatives].length > 0 || share !== null
  if (isSaid || measures.length !== 1) return
  const [amount] = asked
  const column = amount && getColumn(amount)
  if (!amount || !column || !isMeasure(column) || !isAmount(amount)) return
  const head = question.mentions.find((mention) => getTable(mention) === column.table && mention.end <= amount.start)
  const isPlural = head && /[^s]s$/i.test(head.words)
  const isCompared = filters.some((filter) => filter.kind === 'compare' && filter.column === column)
  if (isPlural || isCompared) doubt(amount.words, ASKS_BACK)
}

/** "calves" are not "calving", a "delay" is not "delayed": another form of a stored value may mean something else. */
function flagFormsOfValues({ question, doubt }: Reader, { filters }: FilteredEnding): void {
  for (const { target, words } of question.mentions) {
    if (target.kind !== 'value') continue
    const [said, stored] = [toBareForm(words), toBareForm(target.value)]
    const isForm = said !== stored && stemWord(words) === stemWord(target.value) && !isGermanForm(words, target.value)
    const isUsed = filters.some((filter) => filter.kind === 'in' && filter.column === target.column)
    if (isForm && isUsed) doubt(words, ASKS_BACK)
  }
}

/** "beschädigte Geräte": only an inflected form of the value. */
const isGermanForm = (words: string, value: string): boolean =>
  words.toLowerCase().startsWith(value.toLowerCase()) &&
  /^(?:e|er|en|es|em)$/i.test(words.slice(value.length)) &&
  (/[äöüß]/i.test(value) || translateGerman(value) !== undefined)

function flagUnnamedRows({ question, doubt }: Reader, { base, columns }: FilteredEnding): void {
  const ownMentions = question.mentions.filter(({ target }) => target.table === base)
  const isGuess = ownMentions.every(({ target, weight }) => target.kind === 'column' && weight < 0.9)
  if (columns && ownMentions.length > 0 && isGuess) doubt('what is listed', ASKS_BACK)
}

const toBareForm = (text: string): string =>
  text
    .toLowerCase()
    .replace(/ies$/, 'y')
    .replace(/(?:(?<=[sxz]|ch|sh)es|(?<!s)s)$/, '')
    .replace(/y$/, 'i')
    .replaceAll(/(.)\1/g, '$1')
    .replaceAll(/[\s_-]+/g, ' ')

/** "default rate" is a share of the rows, not the average of another rate. */
function flagRates({ question, doubt }: Reader): void {
  for (const mention of question.mentions) {
    const isRate = /^(?:rates?|ratios?|quotas?)$/i.test(mention.words)
    const isOfValue = question.mentions.some(({ target, end }) => target.kind === 'value' && end === mention.start)
    if (isRate && isOfValue) doubt(mention.words, ASKS_BACK)
  }
}

/** An "average receipt" is not the average number of receipts. */
function flagAveragedCounts({ question, measures, doubt }: Reader): void {
  for (const { aggregate, expression } of measures) {
    if (aggregate !== 'avg' || expression.kind !== 'column' || expression.column.kind !== 'integer') continue
    const name = splitName(expression.column.name).at(-1) ?? ''
    if (question.tokens.some(({ lower }) => name === `${lower}s`)) doubt(name, ASKS_BACK)
  }
}

const MAX_STEPS_OF_SCALE = 60

/** "yield per hectare" divides; only a scale of few steps, such as stars, makes groups. */
function flagAmountGroups({ groups, doubt }: Reader): void {
  for (const group of groups) {
    if (group.kind !== 'column' || !isMeasure(group.column)) continue
    const { kind, distinct, name } = group.column
    const isScale = kind === 'integer' && distinct >= 0 && distinct <= MAX_STEPS_OF_SCALE
    if (!isScale) doubt(name, ASKS_BACK)
  }
}

const PLANNED = new Set(
  'target planned plan expected estimated estimate est forecast budget budgeted projected max maximum min minimum previous prev original default initial limit reserved'.split(
    ' ',
  ),
)

/** "enrolments" are not `target_enrolments`: planned or allowed amounts must be asked for. */
function flagPlannedAmounts({ question, measures, doubt }: Reader): void {
  const said = new Set(question.tokens.map((token) => token.stem))
  for (const { expression } of measures) {
    if (expression.kind !== 'column') continue
    const [first = '', second] = splitName(expression.column.name)
    const isOther = second !== undefined && PLANNED.has(first) && !said.has(stemWord(first))
    if (isOther) doubt(first, ASKS_BACK)
  }
}

/** "mileage by manufacturer" of vehicles is not the distance of their trips, which the question does not mention. */
function flagSynonymsElsewhere({ question, asked, doubt }: Reader): void {
  for (const mention of asked) {
    const column = getColumn(mention)
    if (!column || mention.weight >= 0.8) continue
    const ownStems = new Set(toStems([...splitName(column.name), ...expandParts(splitName(column.name))]))
    const isNamed = mention.words.split(/\s+/).some((word) => ownStems.has(stemWord(word)))
    const isNear = question.mentions.some((other) => other !== mention && other.target.table === column.table)
    const isElsewhere = question.mentions.some(
      ({ target: { table } }) => table !== column.table && table.columns.some((other) => isMeasure(other)),
    )
    if (!isNamed && !isNear && isElsewhere) doubt(mention.words, ASKS_BACK)
  }
}

/** "who claimed the most": a verb that is the name of a table leaves open what is ranked. */
function flagUnclearWho({ question, isRanked, doubt }: Reader): void {
  const who = question.tokens.findIndex(({ lower }) => lower === 'who')
  const verb = who < 0 ? undefined : question.mentions.find((mention) => mention.start === who + 1)
  const isAction = verb && toStems(splitName(verb.target.table.name)).includes(stemWord(verb.words))
  if (isAction && isPastForm(verb.words) && isRanked) doubt(verb.words, ASKS_BACK)
}

/** "total value of instruments", "total invoiced": an amount, not a row count. */
function flagValueOfRows({ question, measures, doubt }: Reader): void {
  const { tokens, phrases, mentions } = question
  const isCounted = measures.length > 0 && measures.every(({ expression }) => expression.kind === 'rows')
  const isAmountRequested = phrases.aggregates.some(({ aggregate, start, end }) => {
    if (isTrailingTotal(question, start)) return true
    const next = mentions.find((mention) => mention.start === end)
    const isDone = next !== undefined && getTable(next) !== undefined && isPastForm(next.words)
    return !aggregate.startsWith('count') && (isDone || /^(?:value|worth|amount|of)$/.test(tokens[end]?.lower ?? ''))
  })
  if (isCounted && isAmountRequested) doubt('what is added up', ASKS_BACK)
}

/** "cancelled lessons" of courses, where only their hours are cancelled: the hours may be the lessons. */
function flagSynonymRows({ question, doubt }: Reader, { base }: FilteredEnding): void {
  const { mentions, model } = question
  const namedMentions = mentions.filter((mention) => getTable(mention) === base)
  const ownStems = new Set(toStems(expandParts(splitName(base?.name ?? ''))))
  const isSynonym = ({ words, weight }: Mention) =>
    weight < 0.8 && !words.split(/\s+/).some((word) => ownStems.has(stemWord(word)))
  if (!base || namedMentions.length === 0 || !namedMentions.every((mention) => isSynonym(mention))) return
  const isOfOthers = mentions.some(({ target: { kind, table } }) => {
    if (kind === 'table' || table === base || mentions.some((mention) => getTable(mention) === table)) return false
    return !isUpwards(findPath(model, base, table))
  })
  // "registrations" as rows of enrolments, where pupils have a registration date as well.
  const isRivalled = namedMentions.some(({ weight, candidates }) =>
    candidates.some(({ target, weight: other }) => target.table !== base && other >= weight - 0.2),
  )
  if (isOfOthers || isRivalled) doubt('which rows are meant', ASKS_BACK)
}
