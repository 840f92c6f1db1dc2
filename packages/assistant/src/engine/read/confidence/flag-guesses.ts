import type { Filter } from '../../plan/plan.ts'
import { findJoinPath, isManyToOnePath } from '../../schema/join-paths.ts'
import { isDate, isMeasure, isYear } from '../../schema/model.ts'
import { expandNameParts, splitName, toStems } from '../../schema/names.ts'
import { translateGerman } from '../../words/german.ts'
import { isPastForm, stemWord } from '../../words/stem.ts'
import type { PartialPlan } from '../partial-plan.ts'
import type { Mention } from '../find-mentions.ts'
import { isTotalAfterTable } from '../prefer-amounts.ts'
import { getColumn, getTable, isAmountMention } from '../scan-question.ts'
import type { PlanBuilder } from '../plan-builder.ts'
import { ASK_BACK_PENALTY } from './penalties.ts'
import { CLEAR_MATCH, SIMILAR_SCORE_MARGIN, SURE_MATCH } from '../../schema/match-scores.ts'

/** The plan with all its filters. */
interface FilteredPlan extends PartialPlan {
  readonly filters: readonly Filter[]
}

/** A reading that rests on a guess is offered instead of answered. */
export function flagGuesses(builder: PlanBuilder, partialPlan: FilteredPlan): void {
  flagUnusedPhrases(builder, partialPlan)
  flagMissingDivisions(builder)
  flagMeaningfulStopWords(builder)
  flagMoneyWordsWithoutAmount(builder)
  flagGroupsByLooseDate(builder)
  flagColumnsBeforeNouns(builder, partialPlan)
  flagUnrequestedSums(builder)
  flagInflectedValues(builder, partialPlan)
  flagUnnamedListTable(builder, partialPlan)
  flagRates(builder)
  flagAveragesOfPluralColumns(builder)
  flagGroupsByAmount(builder)
  flagPlannedAmounts(builder)
  flagSynonymsInUnmentionedTables(builder)
  flagWhoBeforeTableVerb(builder)
  flagCountInsteadOfAmount(builder)
  flagSynonymOfBaseTable(builder, partialPlan)
}

/** "largest", "in 2025", "by month", "average": each must have an effect on the query. */
function flagUnusedPhrases(builder: PlanBuilder, partialPlan: FilteredPlan): void {
  const { phrases, times } = builder.question
  const { filters, share } = partialPlan
  const isMissing =
    hasUnusedPhrases(builder, partialPlan) ||
    (times.length > 0 && !hasTimeFilter([...filters, ...(share?.part ?? [])])) ||
    (phrases.share !== null && !share)
  if (isMissing) builder.lowerConfidence('a part of the question', ASK_BACK_PENALTY)
}

/** Whether a ranking, a unit of time, a median or an average was read and has no effect on the plan. */
function hasUnusedPhrases(
  { question, groups, measures, groupSummary, isRanking }: PlanBuilder,
  partialPlan: FilteredPlan,
): boolean {
  const { phrases } = question
  const allMeasures = [...measures, ...(partialPlan.groupConditions ?? []).map(({ measure }) => measure)]
  const hasMetric = allMeasures.some(({ expression }) => expression.kind === 'metric')
  const isAveraged = groupSummary === 'average' || partialPlan.difference !== undefined || hasMetric
  const usesAggregate = (...wanted: string[]) => allMeasures.some(({ aggregate }) => wanted.includes(aggregate))
  const hasPhrase = (wanted: string) => phrases.aggregates.some(({ aggregate }) => aggregate === wanted)
  const isGroupedByTime = groups.some((group) => group.kind === 'column' && group.unit !== null)
  return (
    (isRanking && !partialPlan.order && partialPlan.limit === undefined && !usesAggregate('min', 'max')) ||
    (phrases.timeUnits.length > 0 && !partialPlan.ignoresTimeUnits && groupSummary === 'rows' && !isGroupedByTime) ||
    (hasPhrase('median') && !hasMetric && !usesAggregate('median')) ||
    (hasPhrase('avg') && !isAveraged && !usesAggregate('avg'))
  )
}

/** Whether any filter restricts a date or a year. */
const hasTimeFilter = (filters: readonly Filter[]): boolean =>
  filters.some((filter) => {
    if (filter.kind === 'exists') return hasTimeFilter(filter.filters)
    return filter.kind === 'time' || (filter.kind === 'compare' && isYear(filter.column))
  })

/** "per 1000 inhabitants" divides; the best of marks is not their largest sum. */
function flagMissingDivisions({ question, measures, lowerConfidence }: PlanBuilder): void {
  const { tokens } = question
  const isPerNumber = tokens.some(({ lower, index }) => lower === 'per' && (tokens[index + 1]?.number ?? null) !== null)
  const isQuality = tokens.some(({ lower }) => lower === 'best' || lower === 'worst')
  const isAdded = measures.some(({ aggregate, expression }) => aggregate === 'sum' && expression.kind === 'column')
  if (isPerNumber || (isQuality && isAdded)) lowerConfidence('how it is divided', ASK_BACK_PENALTY)
}

/** Stop words elsewhere, but a property in front of a noun: "living artists", "current contracts". */
const ADJECTIVE_STOP_WORDS = new Set('living live working used other current existing available returning'.split(' '))
const NOUN_STOP_WORDS = new Set(['work', 'works', 'records', 'entries'])
const WORDS_BEFORE_NOUNS = new Set('many most of the all our more fewest number'.split(' '))

/** "living artists", "current contracts", "how many works": usually stop words, but here they may mean something. */
function flagMeaningfulStopWords({ question, lowerConfidence }: PlanBuilder): void {
  const { tokens, mentions } = question
  const isInside = (at: number) => mentions.some(({ start, end }) => at >= start && at < end)
  for (const { index, lower } of tokens) {
    if (isInside(index)) continue
    const previousWord = tokens[index - 1]?.lower
    const isNoun = NOUN_STOP_WORDS.has(lower) && (previousWord === undefined || WORDS_BEFORE_NOUNS.has(previousWord))
    const isDescribing = ADJECTIVE_STOP_WORDS.has(lower) && mentions.some(({ start }) => start === index + 1)
    if (isNoun || isDescribing) lowerConfidence(lower, ASK_BACK_PENALTY)
  }
}

const MONEY_STEMS = new Set(
  'revenue turnover income earnings proceeds spend spending expenditure profit cost costs margin'
    .split(' ')
    .map((word) => stemWord(word)),
)

/** "costs by month" counted as rows of a table called costs. */
function flagMoneyWordsWithoutAmount({ question, lowerConfidence, measures }: PlanBuilder): void {
  const hasAmount = measures.some(({ expression }) => expression.kind !== 'rows')
  for (const mention of question.mentions) {
    const lastStem = stemWord(mention.words.split(/\s+/).at(-1) ?? '')
    if (getTable(mention) && MONEY_STEMS.has(lastStem) && !hasAmount) lowerConfidence(mention.words, ASK_BACK_PENALTY)
  }
}

/** "by customers" is not by the date on which they became customers. */
function flagGroupsByLooseDate({ question, mentionRoles, lowerConfidence }: PlanBuilder): void {
  for (const mention of question.mentions) {
    const column = getColumn(mention)
    if (column && isDate(column) && mentionRoles.get(mention) === 'group' && mention.matchScore < SURE_MATCH) {
      lowerConfidence(mention.words, ASK_BACK_PENALTY)
    }
  }
}

/** "severe treatments": filters by the column; showing it is not enough. */
function flagColumnsBeforeNouns(
  { question, mentionRoles, lowerConfidence }: PlanBuilder,
  { columns }: PartialPlan,
): void {
  if (!columns) return
  for (const mention of question.mentions) {
    const isIntegerAfterWith =
      question.tokens[mention.start - 1]?.lower === 'with' && getColumn(mention)?.kind === 'integer'
    if (isIntegerAfterWith && mentionRoles.get(mention) === 'measure') lowerConfidence(mention.words, ASK_BACK_PENALTY)
  }
  const isShown = (mention: Mention) => {
    const column = getColumn(mention)
    return (
      column !== undefined &&
      column.kind !== 'boolean' &&
      ['entity', 'measure'].includes(mentionRoles.get(mention) ?? '')
    )
  }
  for (const mention of question.mentions) {
    const noun = question.mentions.find((candidate) => candidate.start === mention.end && getTable(candidate))
    if (noun && isShown(mention)) lowerConfidence(mention.words, ASK_BACK_PENALTY)
  }
}

/** "teams founded before 1900" asks for teams, not for a sum over them. */
function flagUnrequestedSums({
  question,
  measures,
  groups,
  requestedAmounts,
  filters,
  lowerConfidence,
}: PlanBuilder): void {
  const { aggregates, timeUnits, share, superlatives } = question.phrases
  const hasAggregation = [...aggregates, ...timeUnits, ...groups, ...superlatives].length > 0 || share !== null
  if (hasAggregation || measures.length !== 1) return
  const [amount] = requestedAmounts
  const column = amount && getColumn(amount)
  if (!amount || !column || !isMeasure(column) || !isAmountMention(amount)) return
  const tableMention = question.mentions.find(
    (mention) => getTable(mention) === column.table && mention.end <= amount.start,
  )
  const isPlural = tableMention && /[^s]s$/i.test(tableMention.words)
  const isCompared = filters.some((filter) => filter.kind === 'compare' && filter.column === column)
  if (isPlural || isCompared) lowerConfidence(amount.words, ASK_BACK_PENALTY)
}

/** "calves" are not "calving", a "delay" is not "delayed": another form of a stored value may mean something else. */
function flagInflectedValues({ question, lowerConfidence }: PlanBuilder, { filters }: FilteredPlan): void {
  for (const { target, words } of question.mentions) {
    if (target.kind !== 'value') continue
    const [spokenForm, storedForm] = [toSingularForm(words), toSingularForm(target.value)]
    const isOtherForm =
      spokenForm !== storedForm && stemWord(words) === stemWord(target.value) && !isGermanForm(words, target.value)
    const isUsed = filters.some((filter) => filter.kind === 'in' && filter.column === target.column)
    if (isOtherForm && isUsed) lowerConfidence(words, ASK_BACK_PENALTY)
  }
}

/** "beschädigte Geräte": only an inflected form of the value. */
const isGermanForm = (words: string, value: string): boolean =>
  words.toLowerCase().startsWith(value.toLowerCase()) &&
  /^(?:e|er|en|es|em)$/i.test(words.slice(value.length)) &&
  (/[äöüß]/i.test(value) || translateGerman(value) !== undefined)

/** The listed table is only known from a loosely matching column. */
function flagUnnamedListTable({ question, lowerConfidence }: PlanBuilder, { base, columns }: FilteredPlan): void {
  const mentionsOfTable = question.mentions.filter(({ target }) => target.table === base)
  const hasOnlyWeakMatches = mentionsOfTable.every(
    ({ target, matchScore }) => target.kind === 'column' && matchScore < SURE_MATCH,
  )
  if (columns && mentionsOfTable.length > 0 && hasOnlyWeakMatches) lowerConfidence('what is listed', ASK_BACK_PENALTY)
}

/** The singular in lower case, with doubled letters and separators unified. */
const toSingularForm = (text: string): string =>
  text
    .toLowerCase()
    .replace(/ies$/, 'y')
    .replace(/(?:(?<=[sxz]|ch|sh)es|(?<!s)s)$/, '')
    .replace(/y$/, 'i')
    .replaceAll(/(.)\1/g, '$1')
    .replaceAll(/[\s_-]+/g, ' ')

/** "default rate" is a share of the rows, not the average of another rate. */
function flagRates({ question, lowerConfidence }: PlanBuilder): void {
  for (const mention of question.mentions) {
    const isRate = /^(?:rates?|ratios?|quotas?)$/i.test(mention.words)
    const isOfValue = question.mentions.some(({ target, end }) => target.kind === 'value' && end === mention.start)
    if (isRate && isOfValue) lowerConfidence(mention.words, ASK_BACK_PENALTY)
  }
}

/** An "average receipt" is not the average number of receipts. */
function flagAveragesOfPluralColumns({ question, measures, lowerConfidence }: PlanBuilder): void {
  for (const { aggregate, expression } of measures) {
    if (aggregate !== 'avg' || expression.kind !== 'column' || expression.column.kind !== 'integer') continue
    const lastPart = splitName(expression.column.name).at(-1) ?? ''
    if (question.tokens.some(({ lower }) => lastPart === `${lower}s`)) lowerConfidence(lastPart, ASK_BACK_PENALTY)
  }
}

const MAX_SCALE_STEPS = 60

/** "yield per hectare" divides; only a scale of few steps, such as stars, makes groups. */
function flagGroupsByAmount({ groups, lowerConfidence }: PlanBuilder): void {
  for (const group of groups) {
    if (group.kind !== 'column' || !isMeasure(group.column)) continue
    const { kind, distinct, name } = group.column
    const isScale = kind === 'integer' && distinct >= 0 && distinct <= MAX_SCALE_STEPS
    if (!isScale) lowerConfidence(name, ASK_BACK_PENALTY)
  }
}

const PLANNED_AMOUNT_WORDS = new Set(
  'target planned plan expected estimated estimate est forecast budget budgeted projected max maximum min minimum previous prev original default initial limit reserved'.split(
    ' ',
  ),
)

/** "enrolments" are not `target_enrolments`: planned or allowed amounts must be asked for. */
function flagPlannedAmounts({ question, measures, lowerConfidence }: PlanBuilder): void {
  const questionStems = new Set(question.tokens.map((token) => token.stem))
  for (const { expression } of measures) {
    if (expression.kind !== 'column') continue
    const [firstPart = '', secondPart] = splitName(expression.column.name)
    const isPlannedColumn =
      secondPart !== undefined && PLANNED_AMOUNT_WORDS.has(firstPart) && !questionStems.has(stemWord(firstPart))
    if (isPlannedColumn) lowerConfidence(firstPart, ASK_BACK_PENALTY)
  }
}

/** "mileage by manufacturer" of vehicles is not the distance of their trips, which the question does not mention. */
function flagSynonymsInUnmentionedTables({ question, requestedAmounts, lowerConfidence }: PlanBuilder): void {
  for (const mention of requestedAmounts) {
    const column = getColumn(mention)
    if (!column || mention.matchScore >= CLEAR_MATCH) continue
    const columnStems = new Set(toStems([...splitName(column.name), ...expandNameParts(splitName(column.name))]))
    const isNamed = mention.words.split(/\s+/).some((word) => columnStems.has(stemWord(word)))
    const isTableMentioned = question.mentions.some((other) => other !== mention && other.target.table === column.table)
    const hasMeasureElsewhere = question.mentions.some(
      ({ target: { table } }) => table !== column.table && table.columns.some((other) => isMeasure(other)),
    )
    if (!isNamed && !isTableMentioned && hasMeasureElsewhere) lowerConfidence(mention.words, ASK_BACK_PENALTY)
  }
}

/** "who claimed the most": a verb that is the name of a table leaves open what is ranked. */
function flagWhoBeforeTableVerb({ question, isRanking, lowerConfidence }: PlanBuilder): void {
  const who = question.tokens.findIndex(({ lower }) => lower === 'who')
  const verb = who < 0 ? undefined : question.mentions.find((mention) => mention.start === who + 1)
  const isTableName = verb && toStems(splitName(verb.target.table.name)).includes(stemWord(verb.words))
  if (isTableName && isPastForm(verb.words) && isRanking) lowerConfidence(verb.words, ASK_BACK_PENALTY)
}

/** "total value of instruments", "total invoiced": an amount, not a row count. */
function flagCountInsteadOfAmount({ question, measures, lowerConfidence }: PlanBuilder): void {
  const { tokens, phrases, mentions } = question
  const countsRowsOnly = measures.length > 0 && measures.every(({ expression }) => expression.kind === 'rows')
  const isAmountRequested = phrases.aggregates.some(({ aggregate, start, end }) => {
    if (isTotalAfterTable(question, start)) return true
    const mentionAfter = mentions.find((mention) => mention.start === end)
    const isDone = mentionAfter !== undefined && getTable(mentionAfter) !== undefined && isPastForm(mentionAfter.words)
    return !aggregate.startsWith('count') && (isDone || /^(?:value|worth|amount|of)$/.test(tokens[end]?.lower ?? ''))
  })
  if (countsRowsOnly && isAmountRequested) lowerConfidence('what is added up', ASK_BACK_PENALTY)
}

/** "cancelled lessons" of courses, where only their hours are cancelled: the hours may be the lessons. */
function flagSynonymOfBaseTable({ question, lowerConfidence }: PlanBuilder, { base }: FilteredPlan): void {
  const { mentions, model } = question
  const namedMentions = mentions.filter((mention) => getTable(mention) === base)
  const tableStems = new Set(toStems(expandNameParts(splitName(base?.name ?? ''))))
  const isSynonym = ({ words, matchScore }: Mention) =>
    matchScore < CLEAR_MATCH && !words.split(/\s+/).some((word) => tableStems.has(stemWord(word)))
  if (!base || namedMentions.length === 0 || !namedMentions.every((mention) => isSynonym(mention))) return
  const hasMentionOfOtherRows = mentions.some(({ target: { kind, table } }) => {
    if (kind === 'table' || table === base || mentions.some((mention) => getTable(mention) === table)) return false
    return !isManyToOnePath(findJoinPath(model, base, table))
  })
  // "registrations" as rows of enrolments, where pupils have a registration date as well.
  const hasOtherCandidate = namedMentions.some(({ matchScore, candidates }) =>
    candidates.some(
      ({ target, matchScore: other }) => target.table !== base && other >= matchScore - SIMILAR_SCORE_MARGIN,
    ),
  )
  if (hasMentionOfOtherRows || hasOtherCandidate) lowerConfidence('which rows are meant', ASK_BACK_PENALTY)
}
