import type { TimeRange } from '../words/times.ts'
import { toDurationText } from './duration-text.ts'
import type { Filter } from './plan.ts'
import { quoteIdentifier, quoteLiteral, toNumber } from './quote.ts'

export function toFilterText(filter: Filter, alias: string): string {
  if (filter.kind === 'exists') return 'true'
  const text = `${alias}.${quoteIdentifier(filter.column.name)}`
  const number = filter.column.isNumericText ? toNumber(text) : text
  switch (filter.kind) {
    case 'in':
      return toListText(text, filter)
    case 'compare':
      return `${number} ${filter.comparator} ${filter.value}`
    case 'columns': {
      const other = `${alias}.${quoteIdentifier(filter.other.name)}`
      return `${number} ${filter.comparator} ${filter.other.isNumericText ? toNumber(other) : other}`
    }
    case 'between':
      return `${number} between ${filter.low} and ${filter.high}`
    case 'duration': {
      const texts = { from: text, to: `${alias}.${quoteIdentifier(filter.to.name)}` }
      return `${toDurationText({ ...filter, from: filter.column }, texts)} ${filter.comparator} ${filter.value}`
    }
    case 'boolean':
      return toFlagText(text, filter)
    case 'null':
      return `${text} is ${filter.isNull ? '' : 'not '}null`
    case 'time': {
      const ranges = filter.ranges.map((range) => toRange(text, range))
      const any = ranges.length === 1 ? (ranges[0] ?? 'true') : `(${ranges.map((range) => `(${range})`).join(' or ')})`
      return filter.isNegated ? `(${text} is null or not (${any}))` : any
    }
  }
}

function toListText(text: string, { values, isNegated }: Filter & { kind: 'in' }): string {
  const [value = '', ...more] = values
  if (more.length === 0) return `${text} ${isNegated ? '<>' : '='} ${quoteLiteral(value)}`
  const list = values.map((item) => quoteLiteral(item)).join(', ')
  return `${text} ${isNegated ? 'not in' : 'in'} (${list})`
}

function toFlagText(text: string, { column: { trueValue }, isTrue }: Filter & { kind: 'boolean' }): string {
  if (trueValue !== null) return `${text} ${isTrue ? '=' : '<>'} ${quoteLiteral(trueValue)}`
  return isTrue ? text : `not ${text}`
}

function toRange(text: string, { from, to }: TimeRange): string {
  const parts = [...(from === null ? [] : [`${text} >= '${from}'`]), ...(to === null ? [] : [`${text} < '${to}'`])]
  return parts.length === 0 ? 'true' : parts.join(' and ')
}
