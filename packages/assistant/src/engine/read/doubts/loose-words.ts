import { type Filter, getGroupTable } from '../../plan/plan.ts'
import { findPath, isUpwards } from '../../schema/join-paths.ts'
import { type Column, type Table, isDate, isLateDate, isMeasure, listDateColumns } from '../../schema/model.ts'
import { expandParts, isKindPart, splitName, toEnglishName, toStems } from '../../schema/names.ts'
import { translateGerman } from '../../words/german.ts'
import { isPastForm, stemWord } from '../../words/stem.ts'
import { isAdditive } from '../column-hints.ts'
import type { PlanEnding } from '../plan-ending.ts'
import type { Mention } from '../link.ts'
import { getColumn, getTable, isAmount } from '../question.ts'
import type { Reader } from '../reader.ts'

interface FilteredEnding extends PlanEnding {
  readonly filters: readonly Filter[]
}

const ASKS_BACK = 0.45

/** Words that matched by a rare sense: something else may have been asked. */
export function flagLooseWords(reader: Reader, ending: FilteredEnding): void {
  flagCompoundAmounts(reader)
  flagUnownedAmounts(reader)
  flagPartsOfNames(reader)
  flagEventDates(reader, ending)
  flagMassNouns(reader)
  flagShownAdjectives(reader, ending)
  flagSynonymGroups(reader)
  flagFarGroups(reader)
  flagAveragedDiscounts(reader)
}

/** "discount by category": the average of a rate, or the sum of the discounts? */
function flagAveragedDiscounts({ question, measures, doubt }: Reader): void {
  if (question.phrases.aggregates.length > 0) return
  for (const { aggregate, expression } of measures) {
    if (aggregate !== 'avg' || expression.kind !== 'column') continue
    const parts = toEnglishName(expression.column.name).split('_')
    if (parts.includes('discount') && !parts.some((part) => /^(?:percent|rate)$/.test(part)))
      doubt('discount', ASKS_BACK)
  }
}

const MAX_UNSAID_STEPS = 2

/** "customers by city" of the cinemas they visited: the question does not mention the table in between. */
function flagFarGroups({ question, measures, groups, doubt }: Reader): void {
  const [only] = measures
  if (only?.expression.kind !== 'rows') return
  const { table } = only.expression
  for (const group of groups) {
    const path = findPath(question.model, table, getGroupTable(group))
    const between = path?.steps.slice(0, -1).map(({ to }) => to) ?? []
    const isSaid = question.mentions.some(({ target }) => between.includes(target.table))
    if (between.length >= MAX_UNSAID_STEPS && !isUpwards(path) && !isSaid) doubt('how they belong together', ASKS_BACK)
  }
}

/** "by quantity" of a unit: a group matched only by a synonym is a guess. */
function flagSynonymGroups({ question, roles, isRanked, doubt }: Reader): void {
  for (const mention of question.mentions) {
    const column = getColumn(mention)
    if (!column || roles.get(mention) !== 'group' || mention.weight >= (isRanked ? 0.8 : 0.65)) continue
    const own = splitName(column.name)
    const intendedStems = new Set(toStems([...own, ...expandParts(own)]))
    if (!mention.words.split(/\s+/).some((word) => intendedStems.has(stemWord(word)))) doubt(mention.words, ASKS_BACK)
  }
}

/** "order amount" is one amount, not orders next to amounts. */
function flagCompoundAmounts({ asked, roles, doubt }: Reader): void {
  const amounts = [...asked].filter((mention) => roles.get(mention) === 'measure')
  for (const first of amounts) {
    if (amounts.some((second) => second.start === first.end)) doubt(first.words, ASKS_BACK)
  }
}

function flagUnownedAmounts({ asked, question, doubt }: Reader): void {
  for (const mention of asked) {
    const { target, candidates, weight } = mention
    if (target.kind !== 'column' || mention.words.includes(' ')) continue
    const others = question.mentions.filter((other) => other !== mention)
    const isOwned = others.some((other) => other.target.table === target.table)
    // "amount by item": only order lines have an item.
    const reaches = (table: Table) =>
      others.every((other) => isUpwards(findPath(question.model, table, other.target.table)))
    const isElsewhere = candidates.some(
      (candidate) =>
        candidate.target.kind === 'column' &&
        candidate.target.table !== target.table &&
        isMeasure(candidate.target.column) &&
        candidate.weight >= Math.min(weight, 0.8) - 0.2 &&
        reaches(candidate.target.table),
    )
    if (!isOwned && isElsewhere && GENERIC.has(stemWord(mention.words))) doubt(mention.words, ASKS_BACK)
  }
}

const GENERIC = new Set(
  toStems('amount total value price cost quantity sum duration fee balance weight units hours net gross'.split(' ')),
)

function flagPartsOfNames({ asked, roles, doubt }: Reader): void {
  for (const mention of asked) {
    const column = getColumn(mention)
    if (!column || mention.weight >= 0.9 || !['measure', 'order'].includes(roles.get(mention) ?? '')) continue
    const own = splitName(column.name)
    const said = mention.words.split(/\s+/).map((word) => stemWord(word))
    const intendedStems = toStems(expandParts(own).filter((part) => !isKindPart(part)))
    const isShortened = said.every((word) => intendedStems.includes(word) && !toStems(own).includes(word))
    const isPlural = /[^s]s$/i.test(mention.words)
    if (isShortened && isPlural && intendedStems.length > said.length) doubt(mention.words, ASKS_BACK)
  }
}

/** End dates of any kind; a delivery date does not say when an order was cancelled. */
const ENDING = /(?:^|_)(?:close|closed|closing|end|ended|finish|finished|completed|completion|decided|decision)(?:_|$)/

/** "won deals in 2025": won then, or begun then? */
function flagEventDates({ question, doubt }: Reader, { filters }: FilteredEnding): void {
  const timed = filters.find((filter) => filter.kind === 'time')
  if (timed?.kind !== 'time') return
  const { column } = timed
  const { table } = column
  if (question.mentions.some((mention) => getColumn(mention) === column)) return
  const others = listDateColumns(table).filter(
    (dateColumn) => dateColumn !== column && ENDING.test(toEnglishName(dateColumn.name)),
  )
  if (others.length === 0 || isLateDate(column)) return
  if (question.mentions.some((mention) => isEventMention(mention, table))) doubt('which date is meant', ASKS_BACK)
}

const isEventMention = ({ target, words }: Mention, table: Table): boolean =>
  target.table === table &&
  (target.kind === 'value' || (target.kind === 'column' && target.column.kind === 'boolean')) &&
  isPastForm(words)

const COLLECTIVES = new Set('staff personnel crew people workforce equipment furniture livestock'.split(' '))

function isMassNoun(words: string): boolean {
  const last = words.split(/\s+/).at(-1) ?? ''
  const isPlural = /s$/i.test(last) || isPastForm(last) || COLLECTIVES.has(last.toLowerCase())
  return !isPlural && translateGerman(last) === undefined
}

/** "data usage by city", "stock by warehouse": uncountable nouns are summed. */
function flagMassNouns({ question, measures, counted, groups, isRanked, doubt }: Reader): void {
  const [only, second] = measures
  if (!only || second || counted || isRanked || only.expression.kind !== 'rows' || groups.length === 0) return
  const { table } = only.expression
  const namedMentions = question.mentions.filter((mention) => getTable(mention) === table)
  const isMass = namedMentions.length > 0 && namedMentions.every(({ words }) => isMassNoun(words))
  const isFirst = namedMentions[0]?.start === question.mentions[0]?.start
  const hasAmount = table.columns.some((column) => isMeasure(column) && isAdditive(column))
  if (isMass && isFirst && hasAmount) doubt('what is added up', ASKS_BACK)
}

/** "active subscribers" of an activation date: showing the column does not filter by it. */
function flagShownAdjectives({ question, roles, doubt }: Reader, { columns, filters, order }: FilteredEnding): void {
  if (!columns) return
  const isUsed = (column: Column) =>
    (order?.by !== 'measure' && order?.by === column) ||
    filters.some((filter) => 'column' in filter && filter.column === column)
  for (const mention of question.mentions) {
    const column = getColumn(mention)
    const isBefore = question.mentions.some((other) => other.start === mention.end && getTable(other))
    if (!column || !isBefore || isUsed(column) || isAmount(mention) || roles.has(mention)) continue
    if (isDate(column) || mention.weight < 0.9) doubt(mention.words, ASKS_BACK)
  }
}
