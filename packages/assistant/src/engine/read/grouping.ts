import { findJoinPath, isManyToOnePath } from '../schema/join-paths.ts'
import type { Column } from '../schema/model.ts'
import { isAdditive } from './column-hints.ts'
import type { Mention } from './find-mentions.ts'
import { getColumn, getTable, isAmountMention, isDateMention, isDimensionMention, isNearby } from './scan-question.ts'
import { type PlanBuilder, followsCountPhrase, toExpression, toGroup } from './plan-builder.ts'

/** What follows "by" or "per": an order or an average; groups themselves are added to the builder. */
export interface Grouping {
  readonly orderMention: Mention | undefined
  readonly averagedPerMention: Mention | undefined
  readonly difference: readonly [Column, Column] | undefined
}

/** "by country and status"; but "by revenue" after "top 5" orders, and "per click" after "cost" divides. */
export function assignGroups(builder: PlanBuilder): Grouping {
  const { question, mentionRoles, groups, listUnassignedMentions, isRanking, hasAveragePhrase } = builder
  const { phrases, tokens } = question
  let orderMention: Mention | undefined
  let averagedPerMention: Mention | undefined
  for (const groupingWord of phrases.groupingWords) {
    const mentionAfter = listUnassignedMentions().find(
      (mention) =>
        mention.start >= groupingWord.end &&
        isNearby(question, { from: groupingWord.end, to: mention.start, maxTokens: 4 }),
    )
    const groupMention = mentionAfter && findColumnAfterTable(builder, mentionAfter)
    if (!groupMention || groupMention.target.kind === 'value') continue
    const isPer = tokens[groupingWord.end - 1]?.lower === 'per'
    if (isRanking && isRankingCriterion(builder, groupMention)) {
      orderMention = groupMention
      mentionRoles.set(groupMention, 'order')
      continue
    }
    const numerator = listUnassignedMentions().find(
      (mention) =>
        isAmountMention(mention) &&
        mention.end <= groupingWord.start &&
        isNearby(question, { from: mention.end, to: groupingWord.start, maxTokens: 1 }),
    )
    if (isPer && isAmountMention(groupMention) && numerator) {
      addRatio(builder, numerator, groupMention)
      continue
    }
    if (isDateMention(groupMention) && phrases.timeUnits.length > 0) {
      mentionRoles.set(groupMention, 'date')
      continue
    }
    if (isPer && hasAveragePhrase && getTable(groupMention)) averagedPerMention = groupMention
    let chainedMention: Mention | undefined = groupMention
    while (chainedMention) {
      mentionRoles.set(chainedMention, 'group')
      groups.push(toGroup(chainedMention))
      const previousEnd: number = chainedMention.end
      chainedMention = listUnassignedMentions().find(
        (mention) =>
          mention.start > previousEnd && isJoinedByAnd(builder, previousEnd, mention.start) && canGroupBy(mention),
      )
    }
  }
  addRatioOfPhrase(builder)
  return { orderMention, averagedPerMention, difference: findDifferenceColumns(builder) }
}

/** Not values or amounts; a scale such as a rating is possible. */
function canGroupBy(mention: Mention): boolean {
  const column = getColumn(mention)
  const isScale = column?.kind === 'integer' && !isAdditive(column)
  return mention.target.kind !== 'value' && (isScale || !isAmountMention(mention))
}

/** "top 5 by revenue", "by number of orders", "top 5 customers by orders" */
function isRankingCriterion(builder: PlanBuilder, mention: Mention): boolean {
  const { question, listUnassignedMentions } = builder
  if (isAmountMention(mention)) return true
  const table = getTable(mention)
  if (!table) return false
  const { top, superlatives } = question.phrases
  const rankingPhrase = top ?? superlatives[0]
  const rankedMention =
    rankingPhrase &&
    listUnassignedMentions().find(
      (candidate) => candidate.start >= rankingPhrase.end && candidate.start < mention.start && getTable(candidate),
    )
  const isChildOfRanked =
    rankedMention &&
    rankedMention.target.table !== table &&
    isManyToOnePath(findJoinPath(question.model, table, rankedMention.target.table))
  return followsCountPhrase(builder, mention) || isChildOfRanked === true
}

/** "by invoice amount", "per channel category": the table only says whose column is meant. */
function findColumnAfterTable(
  { listUnassignedMentions, mentionRoles, isRanking }: PlanBuilder,
  namedMention: Mention,
): Mention {
  const columnMention = getTable(namedMention)
    ? listUnassignedMentions().find((mention) => {
        const isOwn = mention.start === namedMention.end && getColumn(mention)?.table === namedMention.target.table
        return isOwn && (isRanking || isDimensionMention(mention))
      })
    : undefined
  if (columnMention) mentionRoles.set(namedMention, 'filter')
  return columnMention ?? namedMention
}

/** "by country and status" */
function isJoinedByAnd({ question }: PlanBuilder, firstEnd: number, secondStart: number): boolean {
  const words = question.tokens.slice(firstEnd, secondStart).map(({ lower }) => lower)
  return (
    words.length <= 2 && words.includes('and') && words.every((word) => ['and', 'by', 'then', 'per'].includes(word))
  )
}

/** Two sums, which are divided. */
function addRatio(builder: PlanBuilder, numerator: Mention, denominator: Mention): void {
  builder.isRatio = true
  for (const mention of [numerator, denominator]) {
    builder.measures.push({ aggregate: 'sum', expression: toExpression(mention) })
    builder.mentionRoles.set(mention, 'measure')
  }
}

/** "ratio of clicks to impressions" */
function addRatioOfPhrase(builder: PlanBuilder): void {
  const ratioWord = builder.question.tokens.find(({ lower }) => lower === 'ratio')
  if (!ratioWord || builder.isRatio) return
  const [numerator, denominator] = builder.listUnassignedMentions().filter((mention) => isAmountMention(mention))
  if (!numerator || !denominator) return
  builder.usedTokens.add(ratioWord.index)
  addRatio(builder, numerator, denominator)
}

/** "price minus cost" */
function findDifferenceColumns({
  question,
  listUnassignedMentions,
  mentionRoles,
  usedTokens,
}: PlanBuilder): Grouping['difference'] {
  const minusWord = question.tokens.find(({ lower }) => lower === 'minus')
  if (!minusWord) return undefined
  const left = listUnassignedMentions()
    .filter((mention) => isAmountMention(mention) && mention.end <= minusWord.index)
    .at(-1)
  const right = listUnassignedMentions().find((mention) => isAmountMention(mention) && mention.start > minusWord.index)
  const [leftColumn, rightColumn] = [left && getColumn(left), right && getColumn(right)]
  if (!left || !right || !leftColumn || !rightColumn) return undefined
  mentionRoles.set(left, 'measure')
  mentionRoles.set(right, 'measure')
  usedTokens.add(minusWord.index)
  return [leftColumn, rightColumn]
}
