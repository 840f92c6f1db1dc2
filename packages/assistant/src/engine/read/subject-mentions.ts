import type { ComparedMention } from './comparisons.ts'
import type { Grouping } from './grouping.ts'
import { findJoinPath, isManyToOnePath } from '../schema/join-paths.ts'
import type { Mention } from './find-mentions.ts'
import { getTable, isAmountMention, isDateMention, isDimensionMention, isNearby } from './scan-question.ts'
import type { PlanBuilder } from './plan-builder.ts'

/** "training attendances": the second noun is counted, the first says which kind. */
export function toHeadNoun(
  { question, listUnassignedMentions, mentionRoles }: PlanBuilder,
  mention: Mention | undefined,
): Mention | undefined {
  const headNoun =
    mention &&
    getTable(mention) &&
    listUnassignedMentions().find((candidate) => candidate.start === mention.end && getTable(candidate))
  if (!headNoun || headNoun.target.table === mention.target.table) return mention
  if (!isManyToOnePath(findJoinPath(question.model, headNoun.target.table, mention.target.table))) return mention
  mentionRoles.set(mention, 'filter')
  return headNoun
}

/** "how many open orders": the noun within five tokens after the count phrase, otherwise the next that is no amount. */
export function findCountedMention({
  countPhrase,
  listUnassignedMentions,
  question,
}: PlanBuilder): Mention | undefined {
  if (!countPhrase) return undefined
  const mentionsAfter = listUnassignedMentions().filter(
    (mention) => mention.start >= countPhrase.end && mention.target.kind !== 'value',
  )
  return (
    mentionsAfter.find((mention) => isNearby(question, { from: countPhrase.end, to: mention.start, maxTokens: 5 })) ??
    mentionsAfter.find((mention) => !isAmountMention(mention))
  )
}

/**
 * What the question is about, one row or group of which is shown: "which city", "oldest player", "customers with …".
 */
export function findEntityMention(
  builder: PlanBuilder,
  { comparedMentions, countedMention }: Pick<SubjectContext, 'comparedMentions' | 'countedMention'>,
): Mention | undefined {
  const { isRanking, requestedAmounts, listUnassignedMentions } = builder
  const nounMentions = listUnassignedMentions().filter(
    (mention) =>
      !requestedAmounts.has(mention) &&
      (getTable(mention) !== undefined || (isDimensionMention(mention) && !isDateMention(mention))),
  )
  const datedMentions = listUnassignedMentions().filter((mention) => isDateMention(mention))
  const rankedOrRequested =
    findMentionAfterQuestionWord(builder, [...nounMentions, ...datedMentions]) ??
    findMentionAfterSuperlative(builder, nounMentions)
  if (rankedOrRequested) return rankedOrRequested
  const isBareSuperlative = builder.question.phrases.superlatives[0]?.isBare ?? false
  if (countedMention && nounMentions.includes(countedMention) && !isBareSuperlative) return countedMention
  const [firstNoun] = nounMentions
  const tables = nounMentions.filter((mention) => getTable(mention))
  const tableOfColumn =
    firstNoun && !getTable(firstNoun)
      ? tables.find((table) => table.target.table === firstNoun.target.table)
      : undefined
  if (tableOfColumn && comparedMentions.length === 0 && !isRanking) return tableOfColumn
  return firstNoun ?? (comparedMentions.length > 0 ? datedMentions[0] : undefined)
}

/** "which city has …": the noun after which, what or who. */
function findMentionAfterQuestionWord(
  { question, isRanking }: PlanBuilder,
  nounMentions: readonly Mention[],
): Mention | undefined {
  const questionWordIndex = question.tokens.findIndex(
    ({ lower }) => lower === 'which' || lower === 'what' || lower === 'who',
  )
  const nounAfterQuestionWord =
    questionWordIndex < 0 ? undefined : nounMentions.find((mention) => mention.start === questionWordIndex + 1)
  if (
    nounAfterQuestionWord &&
    isDateMention(nounAfterQuestionWord) &&
    question.tokens[questionWordIndex]?.lower === 'who'
  )
    return undefined
  return nounAfterQuestionWord && (isRanking || !getTable(nounAfterQuestionWord)) ? nounAfterQuestionWord : undefined
}

/** "oldest player", "top 5 countries": the noun after it. */
function findMentionAfterSuperlative({ question }: PlanBuilder, nounMentions: readonly Mention[]): Mention | undefined {
  const [superlative] = question.phrases.superlatives
  const rankingPhrase = superlative ?? question.phrases.top
  return rankingPhrase && !superlative?.isBare
    ? nounMentions.find((mention) => mention.start >= rankingPhrase.end)
    : undefined
}

/** Mentions with a role that the kinds of questions share. */
export interface SubjectContext {
  readonly comparedMentions: readonly ComparedMention[]
  readonly grouping: Grouping
  readonly countedMention: Mention | undefined
  readonly entityMention: Mention | undefined
}
