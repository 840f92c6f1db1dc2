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
      const otherSql = `${alias}.${quoteIdentifier(filter.other.name)}`
      return `${numberSql} ${filter.comparator} ${filter.other.isNumericText ? castTextToNumber(otherSql) : otherSql}`
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

function buildInListSql(columnSql: string, { values, isNegated }: Filter & { kind: 'in' }): string {
  const [value = '', ...otherValues] = values
  if (otherValues.length === 0) return `${columnSql} ${isNegated ? '<>' : '='} ${quoteLiteral(value)}`
  const literals = values.map((item) => quoteLiteral(item)).join(', ')
  return `${columnSql} ${isNegated ? 'not in' : 'in'} (${literals})`
}

function buildFlagSql(columnSql: string, { column: { trueValue }, isTrue }: Filter & { kind: 'boolean' }): string {
  if (trueValue !== null) return `${columnSql} ${isTrue ? '=' : '<>'} ${quoteLiteral(trueValue)}`
  return isTrue ? columnSql : `not ${columnSql}`
}

function buildRangeSql(columnSql: string, { from, to }: TimeRange): string {
  const conditions = [
    ...(from === null ? [] : [`${columnSql} >= '${from}'`]),
    ...(to === null ? [] : [`${columnSql} < '${to}'`]),
  ]
  return conditions.length === 0 ? 'true' : conditions.join(' and ')
}
