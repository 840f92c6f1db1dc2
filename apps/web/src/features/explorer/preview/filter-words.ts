import type { Filter } from '@trellis/contract/explorer/filters'

export type TypeGroup = 'text' | 'number' | 'time' | 'boolean' | 'json'
export interface FilterColumn {
  name: string
  type: string
}

type Operator = Filter['operator']

export function typeGroup(type: string): TypeGroup {
  if (type.endsWith('[]')) return 'text'
  if (/^(smallint|integer|bigint|numeric|decimal|real|double precision|money|oid)\b/.test(type)) return 'number'
  if (/^(date|time|timestamp)/.test(type)) return 'time'
  if (type.startsWith('bool')) return 'boolean'
  return /^jsonb?$/.test(type) ? 'json' : 'text'
}

const NULLS: Operator[] = ['is_null', 'is_not_null']
const ORDERED: Operator[] = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', ...NULLS]

export const OPERATORS: Record<TypeGroup, readonly Operator[]> = {
  text: ['contains', 'eq', 'ne', 'starts_with', 'in', ...NULLS],
  number: ORDERED,
  time: ORDERED,
  boolean: ['eq', 'ne', ...NULLS],
  json: ['contains', ...NULLS],
}

const OPERATOR_LABELS: Record<Operator, string> = {
  eq: 'is',
  ne: 'is not',
  lt: 'is less than',
  lte: 'is at most',
  gt: 'is more than',
  gte: 'is at least',
  contains: 'contains',
  starts_with: 'starts with',
  in: 'is one of',
  is_null: 'is empty (NULL)',
  is_not_null: 'is not empty',
}
const TIME_OPERATOR_LABELS: Partial<Record<Operator, string>> = {
  lt: 'is before',
  lte: 'is at or before',
  gt: 'is after',
  gte: 'is at or after',
}

export function describeOperator(operator: Operator, group: TypeGroup): string {
  return (group === 'time' && TIME_OPERATOR_LABELS[operator]) || OPERATOR_LABELS[operator]
}

export const needsValue = (operator: Operator): boolean => !NULLS.includes(operator)

/** `status is one of paid, open`. */
export function formatFilter({ column, operator, value = '' }: Filter, group: TypeGroup): string {
  const words = `${column} ${describeOperator(operator, group)}`
  if (!needsValue(operator)) return words
  return operator === 'in' ? `${words} ${value.split('\n').filter(Boolean).join(', ')}` : `${words} ${value}`
}
