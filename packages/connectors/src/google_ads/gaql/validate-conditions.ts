import { joinWithOr } from '../../shared/join-with-or.ts'
import type { CatalogueField, GaqlType } from './catalogue.ts'
import { findNearestName } from './catalogue.ts'
import { isDay, isDayOrTime, findPeriodProblem } from './dates.ts'
import type { Condition, Literal, Operator, Position, Problem } from './query.ts'
import { DATE_LITERALS, unquoteLiteral } from './query.ts'

const EQUAL: readonly Operator[] = ['=', '!=', 'IN', 'NOT IN', 'IS NULL', 'IS NOT NULL']
const RANGE: readonly Operator[] = ['<', '>', '<=', '>=', 'BETWEEN']
const PATTERN: readonly Operator[] = ['LIKE', 'NOT LIKE', 'REGEXP_MATCH', 'NOT REGEXP_MATCH']
const REPEATED: readonly Operator[] = ['CONTAINS ANY', 'CONTAINS ALL', 'CONTAINS NONE', 'IS NULL', 'IS NOT NULL']

const OPERATORS_OF: Record<GaqlType, readonly Operator[]> = {
  INT64: [...EQUAL, ...RANGE],
  DOUBLE: [...EQUAL, ...RANGE],
  STRING: [...EQUAL, ...PATTERN],
  BOOLEAN: ['=', '!=', 'IS NULL', 'IS NOT NULL'],
  DATE: [...EQUAL, ...RANGE, 'DURING'],
  ENUM: EQUAL,
  RESOURCE_NAME: [...EQUAL, 'LIKE', 'NOT LIKE'],
  MESSAGE: [],
}

const NAMES: Record<GaqlType, string> = {
  INT64: 'a whole number',
  DOUBLE: 'a number',
  STRING: 'a text',
  BOOLEAN: 'yes or no',
  DATE: 'a date',
  ENUM: 'one of fixed words',
  RESOURCE_NAME: 'the name of a resource',
  MESSAGE: 'a message',
}

const problemAt = ({ line, column }: Position, message: string): Problem => ({ line, column, message })

export function findConditionProblem(condition: Condition, field: CatalogueField): Problem | null {
  if (!field.isFilterable) {
    return problemAt(condition.field, `${field.name} is a message and cannot be filtered by; it can only be selected.`)
  }
  const allowed = field.isRepeated ? REPEATED : OPERATORS_OF[field.type]
  if (!allowed.includes(condition.operator)) {
    const kind = field.isRepeated ? 'holds several values' : `is ${NAMES[field.type]}`
    return problemAt(
      condition.operatorAt,
      `${field.name} ${kind} and cannot be compared with ${condition.operator}. Allowed: ${joinWithOr(allowed)}.`,
    )
  }
  if (condition.operator === 'DURING') return findDuringProblem(condition)
  for (const value of condition.values) {
    const message =
      findValueProblem(value, field) ?? (field.type === 'DATE' ? findPeriodProblem(field.name, value) : null)
    if (message) return problemAt(value, message)
  }
  return findPatternProblem(condition) ?? findOrderProblem(condition, field)
}

function findDuringProblem({ field, values: [value] }: Condition): Problem | null {
  if (!value) return null
  const word = unquoteLiteral(value).toUpperCase()
  if (
    field.name === 'segments.date' &&
    value.kind === 'word' &&
    DATE_LITERALS.some((dateLiteral) => dateLiteral === word)
  )
    return null
  if (field.name !== 'segments.date')
    return problemAt(field, `DURING works with segments.date alone, not with ${field.name}.`)
  const near = findNearestName(
    word.toLowerCase(),
    DATE_LITERALS.map((dateLiteral) => dateLiteral.toLowerCase()),
  )
  const hint = near ? ` Did you mean ${near.toUpperCase()}?` : ''
  return problemAt(
    value,
    `DURING does not know ${value.text}.${hint} It takes ${joinWithOr(DATE_LITERALS)}; for other days use BETWEEN.`,
  )
}

const isNumber = (text: string) => /^-?\d+(\.\d+)?$/.test(text)

function findValueProblem(value: Literal, field: CatalogueField): string | null {
  const text = unquoteLiteral(value)
  switch (field.type) {
    case 'INT64':
      if (isNumber(text) && !text.includes('.')) return null
      return `${field.name} is compared with a whole number, not with ${value.text}.`
    case 'DOUBLE':
      return isNumber(text) ? null : `${field.name} is compared with a number, not with ${value.text}.`
    case 'BOOLEAN':
      return /^(true|false)$/i.test(text) ? null : `${field.name} is TRUE or FALSE, not ${value.text}.`
    case 'DATE':
      return findDateProblem(value, field)
    case 'ENUM':
      return findEnumProblem(value, field)
    default:
      return value.kind === 'string' ? null : `${field.name} is a text: put ${value.text} in quotation marks.`
  }
}

function findDateProblem(value: Literal, field: CatalogueField): string | null {
  const text = unquoteLiteral(value)
  if (value.kind === 'word' && DATE_LITERALS.some((dateLiteral) => dateLiteral === text.toUpperCase())) {
    return `Words such as ${text.toUpperCase()} go with DURING: ${field.name} DURING ${text.toUpperCase()}.`
  }
  const isRight = field.name.endsWith('date_time') ? isDayOrTime(text) : isDay(text)
  if (isRight && value.kind === 'string') return null
  return `${field.name} is compared with a day that exists, in quotation marks: '2026-03-31'; ${value.text} is none.`
}

function findEnumProblem(value: Literal, { name, values }: CatalogueField): string | null {
  const text = unquoteLiteral(value)
  if (value.kind === 'number') return `${name} is compared with a word, not with a number.`
  if (values.length === 0) {
    return /^[A-Z][A-Z0-9_]*$/.test(text)
      ? null
      : `${name} is compared with a word in capital letters; ${value.text} is none.`
  }
  if (values.includes(text)) return null
  const near = findNearestName(
    text.toLowerCase(),
    values.map((item) => item.toLowerCase()),
  )
  const hint = near ? ` Did you mean ${near.toUpperCase()}?` : ''
  return `${name} is never ${value.text}.${hint} It is ${joinWithOr(values)}.`
}

function findPatternProblem({ operator, values: [value] }: Condition): Problem | null {
  if (!operator.endsWith('REGEXP_MATCH') || !value) return null
  const pattern = value.text.slice(1, -1)
  if (/\(\?(<?[=!])/.test(pattern)) {
    return problemAt(value, 'Patterns follow RE2, which has no look-ahead and no look-behind.')
  }
  return isPattern(pattern)
    ? null
    : problemAt(value, 'This pattern cannot be read: a bracket or a repetition is not complete.')
}

/** RE2 writes flags and named groups differently. */
function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern.replaceAll(/\(\?[a-zA-Z]+\)/g, '').replaceAll('(?P<', '(?<')) instanceof RegExp
  } catch {
    return false
  }
}

function findOrderProblem({ operator, values }: Condition, field: CatalogueField): Problem | null {
  const [low, high] = values
  if (operator !== 'BETWEEN' || !low || !high) return null
  const [from, to] = [unquoteLiteral(low), unquoteLiteral(high)]
  const isWrong = field.type === 'DATE' ? from > to : Number(from) > Number(to)
  return isWrong
    ? problemAt(low, `BETWEEN goes from the smaller value to the greater; ${low.text} comes after ${high.text}.`)
    : null
}
