import type { Expression, Filter, Group, Measure, Plan } from '../plan/plan.ts'
import { isMeasure } from '../schema/model.ts'
import { isAdditive } from './column-hints.ts'
import type { Mention } from './link.ts'
import type { Aggregate } from './phrase-words.ts'
import type { AggregatePhrase, Comparison } from './phrases.ts'
import { type Question, isNear } from './question.ts'

type Role = 'group' | 'measure' | 'compared' | 'absent' | 'order' | 'entity' | 'filter' | 'date'

/** The state of reading one question: every mention gets one role. */
export interface Reader {
  readonly question: Question
  readonly roles: Map<Mention, Role>
  readonly used: Set<number>
  readonly doubts: { reason: string; cost: number }[]
  readonly filters: Filter[]
  readonly groups: Group[]
  readonly measures: Measure[]
  readonly handled: Set<Comparison>
  readonly asked: Set<Mention>
  readonly counted: AggregatePhrase | undefined
  readonly hasAverage: boolean
  readonly isRanked: boolean
  isRatio: boolean
  over: Plan['over']
  free(): Mention[]
  doubt(reason: string, cost: number): void
}

export function createReader(question: Question): Reader {
  const { mentions, phrases } = question
  const roles = new Map<Mention, Role>()
  const doubts: Reader['doubts'] = []
  return {
    question,
    roles,
    used: new Set(),
    doubts,
    filters: [],
    groups: [],
    measures: [],
    handled: new Set(),
    asked: new Set(),
    counted: phrases.aggregates.find(({ aggregate }) => aggregate === 'count' || aggregate === 'count_distinct'),
    hasAverage: phrases.aggregates.some(({ aggregate }) => aggregate === 'avg'),
    isRanked: phrases.top !== null || phrases.superlatives.length > 0,
    isRatio: false,
    over: 'rows',
    free: () => mentions.filter((mention) => !roles.has(mention)),
    doubt: (reason, cost) => void doubts.push({ reason, cost }),
  }
}

export function isCounted({ question }: Reader, mention: Mention): boolean {
  return question.phrases.aggregates.some(
    ({ aggregate, end }) =>
      (aggregate === 'count' || aggregate === 'count_distinct') &&
      isNear(question, { from: end, to: mention.start, most: 2 }),
  )
}

export function toExpression({ target }: Mention): Exclude<Expression, { kind: 'duration' }> {
  if (target.kind === 'line_value') return { kind: 'line_value', table: target.table }
  if (target.kind === 'column') return { kind: 'column', column: target.column }
  if (target.kind === 'metric') return { kind: 'metric', metric: target.metric }
  return { kind: 'rows', table: target.table }
}

export function toMeasure({ hasAverage }: Reader, mention: Mention, aggregate: Aggregate | null): Measure {
  const expression = toExpression(mention)
  if (expression.kind === 'rows') return { aggregate: 'count', expression }
  if (expression.kind === 'metric') return { aggregate: 'sum', expression }
  if (expression.kind === 'column' && !isMeasure(expression.column)) return { aggregate: 'count_distinct', expression }
  if (aggregate && aggregate !== 'count' && aggregate !== 'count_distinct') return { aggregate, expression }
  const isAdded = expression.kind === 'line_value' || isAdditive(expression.column) || aggregate === 'count'
  return { aggregate: isAdded && !hasAverage ? 'sum' : 'avg', expression }
}

export function toGroup({ target }: Mention): Group {
  if (target.kind === 'column') return { kind: 'column', column: target.column, unit: null }
  return { kind: 'table', table: target.table }
}

export function getAggregateBefore({ question }: Reader, mention: Mention): Aggregate | null {
  const before = question.phrases.aggregates.filter(
    ({ end }) => end <= mention.start && isNear(question, { from: end, to: mention.start, most: 4 }),
  )
  return before.at(-1)?.aggregate ?? null
}
