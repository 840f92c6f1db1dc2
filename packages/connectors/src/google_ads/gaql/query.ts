export interface Position {
  readonly line: number
  readonly column: number
}

export interface Name extends Position {
  readonly name: string
}

/** Keeps quotes and escapes, so that printing reproduces the input. */
export interface Literal extends Position {
  readonly kind: 'string' | 'number' | 'word'
  readonly text: string
}

export const OPERATORS = [
  '=',
  '!=',
  '<',
  '>',
  '<=',
  '>=',
  'IN',
  'NOT IN',
  'LIKE',
  'NOT LIKE',
  'CONTAINS ANY',
  'CONTAINS ALL',
  'CONTAINS NONE',
  'IS NULL',
  'IS NOT NULL',
  'DURING',
  'BETWEEN',
  'REGEXP_MATCH',
  'NOT REGEXP_MATCH',
] as const
export type Operator = (typeof OPERATORS)[number]

export interface Condition {
  readonly field: Name
  readonly operator: Operator
  readonly operatorAt: Position
  readonly values: readonly Literal[]
}

export interface Ordering {
  readonly field: Name
  readonly direction: 'ASC' | 'DESC' | null
}

export interface Parameter {
  readonly name: Name
  readonly value: Literal
}

export interface Query {
  readonly select: readonly Name[]
  readonly from: Name
  readonly where: readonly Condition[]
  readonly orderBy: readonly Ordering[]
  readonly limit: (Position & { readonly count: number }) | null
  readonly parameters: readonly Parameter[]
}

export interface Problem extends Position {
  readonly message: string
}

export const DATE_LITERALS = [
  'TODAY',
  'YESTERDAY',
  'LAST_7_DAYS',
  'LAST_14_DAYS',
  'LAST_30_DAYS',
  'LAST_BUSINESS_WEEK',
  'LAST_MONTH',
  'LAST_WEEK_MON_SUN',
  'LAST_WEEK_SUN_SAT',
  'THIS_MONTH',
  'THIS_WEEK_MON_TODAY',
  'THIS_WEEK_SUN_TODAY',
] as const

export const isList = (operator: Operator): boolean =>
  operator === 'IN' || operator === 'NOT IN' || operator.startsWith('CONTAINS')

export function unquoteLiteral(literal: Literal): string {
  if (literal.kind !== 'string') return literal.text
  return literal.text.slice(1, -1).replace(/\\(.)/gs, '$1')
}

export const toLiteral = (text: string): Literal => ({
  kind: 'string',
  text: `'${text.replace(/['\\]/g, '\\$&')}'`,
  line: 0,
  column: 0,
})
