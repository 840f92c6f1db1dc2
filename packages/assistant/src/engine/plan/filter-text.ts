import type { TimeRange } from '../words/times.ts'
import { buildDurationSql } from './duration-text.ts'
import type { Filter } from './plan.ts'
import { quoteIdentifier, quoteLiteral, castTextToNumber } from './quote.ts'

/** The condition as SQL; filters of kind `exists` are built in joins.ts. */
export function buildFilterSql(filter: Filter, alias: string): string {
  if (filter.kind === 'exists') return 'true'
  const columnSql = `${alias}.${quoteIdentifier(filter.column.name)}`
  const numberSql = filter.column.isNumericText ? castTextToNumber(columnSql) : columnSql
  switch (filter.kind) {
    case 'in':
      return buildInListSql(columnSql, filter)
    case 'compare':
      return `${numberSql} ${filter.comparator} ${filter.value}`
    case 'columns': {
      const other = `${alias}.${quoteIdentifier(filter.other.name)}`
      return `${numberSql} ${filter.comparator} ${filter.other.isNumericText ? castTextToNumber(other) : other}`
    }
    case 'between':
      return `${numberSql} between ${filter.low} and ${filter.high}`
    case 'duration': {
      const texts = { from: columnSql, to: `${alias}.${quoteIdentifier(filter.to.name)}` }
      return `${buildDurationSql({ ...filter, from: filter.column }, texts)} ${filter.comparator} ${filter.value}`
    }
    case 'boolean':
      return buildFlagSql(columnSql, filter)
    case 'null':
      return `${columnSql} is ${filter.isNull ? '' : 'not '}null`
    case 'time': {
      const ranges = filter.ranges.map((range) => buildRangeSql(columnSql, range))
      const anyRange =
        ranges.length === 1 ? (ranges[0] ?? 'true') : `(${ranges.map((range) => `(${range})`).join(' or ')})`
      return filter.isNegated ? `(${columnSql} is null or not (${anyRange}))` : anyRange
    }
  }
}

function buildInListSql(text: string, { values, isNegated }: Filter & { kind: 'in' }): string {
  const [value = '', ...more] = values
  if (more.length === 0) return `${text} ${isNegated ? '<>' : '='} ${quoteLiteral(value)}`
  const list = values.map((item) => quoteLiteral(item)).join(', ')
  return `${text} ${isNegated ? 'not in' : 'in'} (${list})`
}

function buildFlagSql(text: string, { column: { trueValue }, isTrue }: Filter & { kind: 'boolean' }): string {
  if (trueValue !== null) return `${text} ${isTrue ? '=' : '<>'} ${quoteLiteral(trueValue)}`
  return isTrue ? text : `not ${text}`
}

function buildRangeSql(text: string, { from, to }: TimeRange): string {
  const parts = [...(from === null ? [] : [`${text} >= '${from}'`]), ...(to === null ? [] : [`${text} < '${to}'`])]
  return parts.length === 0 ? 'true' : parts.join(' and ')
}
