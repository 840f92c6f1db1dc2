import type { Expression, Filter, Group, Measure, Plan } from '../plan/plan.ts'
import { isMeasure } from '../schema/model.ts'
import { isAdditive } from './column-hints.ts'
import type { Mention } from './find-mentions.ts'
import type { Aggregate } from './phrase-words.ts'
import type { AggregatePhrase, Comparison } from './find-phrases.ts'
import { type Question, isNearby } from './scan-question.ts'

type MentionRole = 'group' | 'measure' | 'compared' | 'absent' | 'order' | 'entity' | 'filter' | 'date'

/** The state of reading one question: every mention gets one role. */
export interface PlanBuilder {
  readonly question: Question
  readonly mentionRoles: Map<Mention, MentionRole>
  readonly usedTokens: Set<number>
  readonly confidencePenalties: { reason: string; cost: number }[]
  readonly filters: Filter[]
  readonly groups: Group[]
  readonly measures: Measure[]
  readonly handledComparisons: Set<Comparison>
  readonly requestedAmounts: Set<Mention>
  readonly countPhrase: AggregatePhrase | undefined
  readonly hasAveragePhrase: boolean
  readonly isRanking: boolean
  isRatio: boolean
  groupSummary: Plan['groupSummary']
  listUnassignedMentions(): Mention[]
  lowerConfidence(reason: string, cost: number): void
}

/** An empty plan for the question; no mention has a role yet. */
export function createPlanBuilder(question: Question): PlanBuilder {
  const { mentions, phrases } = question
  const mentionRoles = new Map<Mention, MentionRole>()
  const confidencePenalties: PlanBuilder['confidencePenalties'] = []
  return {
    question,
    mentionRoles,
    usedTokens: new Set(),
    confidencePenalties,
    filters: [],
    groups: [],
    measures: [],
    handledComparisons: new Set(),
    requestedAmounts: new Set(),
    countPhrase: phrases.aggregates.find(({ aggregate }) => aggregate === 'count' || aggregate === 'count_distinct'),
    hasAveragePhrase: phrases.aggregates.some(({ aggregate }) => aggregate === 'avg'),
    isRanking: phrases.top !== null || phrases.superlatives.length > 0,
    isRatio: false,
    groupSummary: 'rows',
    listUnassignedMentions: () => mentions.filter((mention) => !mentionRoles.has(mention)),
    lowerConfidence: (reason, cost) => void confidencePenalties.push({ reason, cost }),
  }
}

/** "number of orders": whether the mention comes right after a count phrase. */
export function followsCountPhrase({ question }: PlanBuilder, mention: Mention): boolean {
  return question.phrases.aggregates.some(
    ({ aggregate, end }) =>
      (aggregate === 'count' || aggregate === 'count_distinct') &&
      isNearby(question, { from: end, to: mention.start, maxTokens: 2 }),
  )
}

/** What is aggregated: the column, the line value, the metric, or the rows of a table. */
export function toExpression({ target }: Mention): Exclude<Expression, { kind: 'duration' }> {
  if (target.kind === 'line_value') return { kind: 'line_value', table: target.table }
  if (target.kind === 'column') return { kind: 'column', column: target.column }
  if (target.kind === 'metric') return { kind: 'metric', metric: target.metric }
  return { kind: 'rows', table: target.table }
}

/** Uses the given aggregate if it fits; otherwise amounts are summed, prices and rates averaged, texts counted. */
export function toMeasure({ hasAveragePhrase }: PlanBuilder, mention: Mention, aggregate: Aggregate | null): Measure {
  const expression = toExpression(mention)
  if (expression.kind === 'rows') return { aggregate: 'count', expression }
  if (expression.kind === 'metric') return { aggregate: 'sum', expression }
  if (expression.kind === 'column' && !isMeasure(expression.column)) return { aggregate: 'count_distinct', expression }
  if (aggregate && aggregate !== 'count' && aggregate !== 'count_distinct') return { aggregate, expression }
  const isSummed = expression.kind === 'line_value' || isAdditive(expression.column) || aggregate === 'count'
  return { aggregate: isSummed && !hasAveragePhrase ? 'sum' : 'avg', expression }
}

/** Groups by the mentioned column or table. */
export function toGroup({ target }: Mention): Group {
  if (target.kind === 'column') return { kind: 'column', column: target.column, unit: null }
  return { kind: 'table', table: target.table }
}

/** "average price": the aggregate within four tokens before the mention. */
export function findAggregateBefore({ question }: PlanBuilder, mention: Mention): Aggregate | null {
  const phrasesBefore = question.phrases.aggregates.filter(
    ({ end }) => end <= mention.start && isNearby(question, { from: end, to: mention.start, maxTokens: 4 }),
  )
  return phrasesBefore.at(-1)?.aggregate ?? null
}
