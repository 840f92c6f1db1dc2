import { type Filter, findTableOfGroup } from '../../plan/plan.ts'
import { findJoinPath, isManyToOnePath } from '../../schema/join-paths.ts'
import { type Column, type Table, isDate, isLateDate, isMeasure, listDateColumns } from '../../schema/model.ts'
import { expandNameParts, isGenericPart, splitName, toEnglishName, toStems } from '../../schema/names.ts'
import { translateGerman } from '../../words/german.ts'
import { isPastForm, stemWord } from '../../words/stem.ts'
import { isAdditive } from '../column-hints.ts'
import type { PartialPlan } from '../partial-plan.ts'
import type { Mention } from '../find-mentions.ts'
import { getColumn, getTable, isAmountMention } from '../scan-question.ts'
import type { PlanBuilder } from '../plan-builder.ts'
import { ASK_BACK_PENALTY } from './penalties.ts'
import { CLEAR_MATCH, SIMILAR_SCORE_MARGIN, SURE_MATCH } from '../../schema/match-scores.ts'

/** The plan with all its filters. */
interface FilteredPlan extends PartialPlan {
  readonly filters: readonly Filter[]
}

/** Words that matched by a rare sense: something else may have been asked. */
export function flagLooseWords(builder: PlanBuilder, partialPlan: FilteredPlan): void {
  flagAdjacentAmounts(builder)
  flagGenericAmounts(builder)
  flagShortenedPlurals(builder)
  flagEventBesideOtherDate(builder, partialPlan)
  flagCountedMassNouns(builder)
  flagUnfilteredAdjectives(builder, partialPlan)
  flagSynonymGroups(builder)
  flagGroupsBehindUnmentionedTables(builder)
  flagAveragedDiscounts(builder)
}

/** "discount by category": the average of a rate, or the sum of the discounts? */
function flagAveragedDiscounts({ question, measures, lowerConfidence }: PlanBuilder): void {
  if (question.phrases.aggregates.length > 0) return
  for (const { aggregate, expression } of measures) {
    if (aggregate !== 'avg' || expression.kind !== 'column') continue
    const nameParts = toEnglishName(expression.column.name).split('_')
    if (nameParts.includes('discount') && !nameParts.some((part) => /^(?:percent|rate)$/.test(part)))
      lowerConfidence('discount', ASK_BACK_PENALTY)
  }
}

const MIN_UNMENTIONED_TABLES = 2

/** "customers by city" of the cinemas they visited: the question does not mention the table in between. */
function flagGroupsBehindUnmentionedTables({ question, measures, groups, lowerConfidence }: PlanBuilder): void {
  const [measure] = measures
  if (measure?.expression.kind !== 'rows') return
  const { table } = measure.expression
  for (const group of groups) {
    const joinPath = findJoinPath(question.model, table, findTableOfGroup(group))
    const tablesBetween = joinPath?.steps.slice(0, -1).map(({ to }) => to) ?? []
    const isTableBetweenMentioned = question.mentions.some(({ target }) => tablesBetween.includes(target.table))
    if (tablesBetween.length >= MIN_UNMENTIONED_TABLES && !isManyToOnePath(joinPath) && !isTableBetweenMentioned)
      lowerConfidence('how they belong together', ASK_BACK_PENALTY)
  }
}

const MIN_GROUP_MATCH = 0.65

/** "by quantity" of a unit: a group matched only by a synonym is a guess. */
function flagSynonymGroups({ question, mentionRoles, isRanking, lowerConfidence }: PlanBuilder): void {
  for (const mention of question.mentions) {
    const column = getColumn(mention)
    if (
      !column ||
      mentionRoles.get(mention) !== 'group' ||
      mention.matchScore >= (isRanking ? CLEAR_MATCH : MIN_GROUP_MATCH)
    )
      continue
    const nameParts = splitName(column.name)
    const columnStems = new Set(toStems([...nameParts, ...expandNameParts(nameParts)]))
    if (!mention.words.split(/\s+/).some((word) => columnStems.has(stemWord(word))))
      lowerConfidence(mention.words, ASK_BACK_PENALTY)
  }
}

/** "order amount" is one amount, not orders next to amounts. */
function flagAdjacentAmounts({ requestedAmounts, mentionRoles, lowerConfidence }: PlanBuilder): void {
  const amounts = [...requestedAmounts].filter((mention) => mentionRoles.get(mention) === 'measure')
  for (const amount of amounts) {
    if (amounts.some((second) => second.start === amount.end)) lowerConfidence(amount.words, ASK_BACK_PENALTY)
  }
}

/** "amount by customer", where several tables have an amount and none of them is mentioned. */
function flagGenericAmounts({ requestedAmounts, question, lowerConfidence }: PlanBuilder): void {
  for (const mention of requestedAmounts) {
    const { target, candidates, matchScore } = mention
    if (target.kind !== 'column' || mention.words.includes(' ')) continue
    const otherMentions = question.mentions.filter((other) => other !== mention)
    const isTableMentioned = otherMentions.some((other) => other.target.table === target.table)
    // "amount by item": only order lines have an item.
    const reachesOthers = (table: Table) =>
      otherMentions.every((other) => isManyToOnePath(findJoinPath(question.model, table, other.target.table)))
    const hasSameAmountElsewhere = candidates.some(
      (candidate) =>
        candidate.target.kind === 'column' &&
        candidate.target.table !== target.table &&
        isMeasure(candidate.target.column) &&
        candidate.matchScore >= Math.min(matchScore, CLEAR_MATCH) - SIMILAR_SCORE_MARGIN &&
        reachesOthers(candidate.target.table),
    )
    if (!isTableMentioned && hasSameAmountElsewhere && GENERIC_AMOUNT_STEMS.has(stemWord(mention.words)))
      lowerConfidence(mention.words, ASK_BACK_PENALTY)
  }
}

const GENERIC_AMOUNT_STEMS = new Set(
  toStems('amount total value price cost quantity sum duration fee balance weight units hours net gross'.split(' ')),
)

/** "prices" for `list_price`: a plural that is only an abbreviated part of the column's name. */
function flagShortenedPlurals({ requestedAmounts, mentionRoles, lowerConfidence }: PlanBuilder): void {
  for (const mention of requestedAmounts) {
    const column = getColumn(mention)
    if (!column || mention.matchScore >= SURE_MATCH || !['measure', 'order'].includes(mentionRoles.get(mention) ?? ''))
      continue
    const nameParts = splitName(column.name)
    const mentionStems = mention.words.split(/\s+/).map((word) => stemWord(word))
    const columnStems = toStems(expandNameParts(nameParts).filter((part) => !isGenericPart(part)))
    const isShortened = mentionStems.every((word) => columnStems.includes(word) && !toStems(nameParts).includes(word))
    const isPlural = /[^s]s$/i.test(mention.words)
    if (isShortened && isPlural && columnStems.length > mentionStems.length)
      lowerConfidence(mention.words, ASK_BACK_PENALTY)
  }
}

/** End dates of any kind; a delivery date does not say when an order was cancelled. */
const END_DATE_NAME =
  /(?:^|_)(?:close|closed|closing|end|ended|finish|finished|completed|completion|decided|decision)(?:_|$)/

/** "won deals in 2025": won then, or begun then? */
function flagEventBesideOtherDate({ question, lowerConfidence }: PlanBuilder, { filters }: FilteredPlan): void {
  const timeFilter = filters.find((filter) => filter.kind === 'time')
  if (timeFilter?.kind !== 'time') return
  const { column } = timeFilter
  const { table } = column
  if (question.mentions.some((mention) => getColumn(mention) === column)) return
  const endDates = listDateColumns(table).filter(
    (dateColumn) => dateColumn !== column && END_DATE_NAME.test(toEnglishName(dateColumn.name)),
  )
  if (endDates.length === 0 || isLateDate(column)) return
  if (question.mentions.some((mention) => isEventMention(mention, table)))
    lowerConfidence('which date is meant', ASK_BACK_PENALTY)
}

/** "won" or "closed" as a stored value or flag. */
const isEventMention = ({ target, words }: Mention, table: Table): boolean =>
  target.table === table &&
  (target.kind === 'value' || (target.kind === 'column' && target.column.kind === 'boolean')) &&
  isPastForm(words)

const PLURAL_COLLECTIVES = new Set('staff personnel crew people workforce equipment furniture livestock'.split(' '))

/** "stock", "data usage": neither a plural nor a collective such as "staff". */
function isMassNoun(words: string): boolean {
  const lastWord = words.split(/\s+/).at(-1) ?? ''
  const isPlural = /s$/i.test(lastWord) || isPastForm(lastWord) || PLURAL_COLLECTIVES.has(lastWord.toLowerCase())
  return !isPlural && translateGerman(lastWord) === undefined
}

/** "data usage by city", "stock by warehouse": uncountable nouns are summed. */
function flagCountedMassNouns({
  question,
  measures,
  countPhrase,
  groups,
  isRanking,
  lowerConfidence,
}: PlanBuilder): void {
  const [measure, secondMeasure] = measures
  if (
    !measure ||
    secondMeasure ||
    countPhrase ||
    isRanking ||
    measure.expression.kind !== 'rows' ||
    groups.length === 0
  )
    return
  const { table } = measure.expression
  const namedMentions = question.mentions.filter((mention) => getTable(mention) === table)
  const isMassNounOnly = namedMentions.length > 0 && namedMentions.every(({ words }) => isMassNoun(words))
  const isFirstMention = namedMentions[0]?.start === question.mentions[0]?.start
  const hasAmount = table.columns.some((column) => isMeasure(column) && isAdditive(column))
  if (isMassNounOnly && isFirstMention && hasAmount) lowerConfidence('what is added up', ASK_BACK_PENALTY)
}

/** "active subscribers" of an activation date: showing the column does not filter by it. */
function flagUnfilteredAdjectives(
  { question, mentionRoles, lowerConfidence }: PlanBuilder,
  { columns, filters, order }: FilteredPlan,
): void {
  if (!columns) return
  const isFilteredOrOrdered = (column: Column) =>
    (order?.by !== 'measure' && order?.by === column) ||
    filters.some((filter) => 'column' in filter && filter.column === column)
  for (const mention of question.mentions) {
    const column = getColumn(mention)
    const isBeforeTable = question.mentions.some((other) => other.start === mention.end && getTable(other))
    if (
      !column ||
      !isBeforeTable ||
      isFilteredOrOrdered(column) ||
      isAmountMention(mention) ||
      mentionRoles.has(mention)
    )
      continue
    if (isDate(column) || mention.matchScore < SURE_MATCH) lowerConfidence(mention.words, ASK_BACK_PENALTY)
  }
}
