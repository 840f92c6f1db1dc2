import type { Metric } from '../schema/metrics.ts'
import { type Column, type Table, findLineValue, listDisplayColumns, listKeyColumns } from '../schema/model.ts'
import { type Aliases, toColumn, toValue } from './aliases.ts'
import { toDurationText } from './duration-text.ts'
import type { Expression, Group, Measure } from './plan.ts'

export function toGroupColumns(group: Group, aliases: Aliases): { text: string; name: string | undefined }[] {
  if (group.kind === 'table') {
    const columns = [...new Set([...listKeyColumns(group.table), ...listDisplayColumns(group.table)])]
    const shownColumns = columns.length > 0 ? columns : group.table.columns.slice(0, 3)
    return shownColumns.map((column) => ({ text: toColumn(column, aliases), name: toRoleName(column) }))
  }
  const { column, unit } = group
  const text = toColumn(column, aliases)
  if (unit === null) return [{ text, name: toRoleName(column) }]
  const cut = unit === 'hour' ? `date_trunc('hour', ${text})` : `date_trunc('${unit}', ${text})::date`
  return [{ text: cut, name: unit }]
}

/** Two columns of one name from two roles of a table need different labels. */
const toRoleName = ({ table: { role }, name }: Column): string | undefined => role && toSnake(`${role.name} ${name}`)

export interface RenderContext {
  readonly aliases: Aliases
  readonly base: Table
  readonly isMultiplied: boolean
}

function toMetric({ pieces }: Metric, aliases: Aliases): string {
  const text = pieces.map((piece) => (typeof piece === 'string' ? piece : toColumn(piece, aliases))).join('')
  return /^\w+\([^()]*\)$/.test(text.trim()) ? text.trim() : `(${text.trim()})`
}

function toExpression(expression: Expression, aliases: Aliases): string {
  if (expression.kind === 'column') return toValue(expression.column, aliases)
  if (expression.kind === 'rows') return '*'
  if (expression.kind === 'metric') return toMetric(expression.metric, aliases)
  if (expression.kind === 'duration') {
    const { from, to } = expression.duration
    return toDurationText(expression.duration, { from: toColumn(from, aliases), to: toColumn(to, aliases) })
  }
  // What remains is a line value: quantity times price, less the discount.
  const line = findLineValue(expression.table)
  if (!line) return '*'
  const text = `${toColumn(line.quantity, aliases)} * ${toColumn(line.price, aliases)}`
  return line.discount ? `${text} * (1 - ${toColumn(line.discount, aliases)})` : text
}

export function toMeasure({ aggregate, expression }: Measure, { aliases, base, isMultiplied }: RenderContext): string {
  if (expression.kind === 'rows') {
    const keys = listKeyColumns(expression.table)
    const [key] = keys
    if ((expression.table !== base || isMultiplied) && key) {
      return keys.length === 1
        ? `count(distinct ${toColumn(key, aliases)})`
        : `count(distinct (${keys.map((column) => toColumn(column, aliases)).join(', ')}))`
    }
    return 'count(*)'
  }
  const text = toExpression(expression, aliases)
  if (expression.kind === 'metric') return text
  switch (aggregate) {
    case 'count':
      return `count(${text})`
    case 'count_distinct':
      return `count(distinct ${text})`
    case 'median':
      return `percentile_cont(0.5) within group (order by ${text})`
    default:
      return `${aggregate}(${text})`
  }
}

const toSnake = (name: string): string => name.toLowerCase().replaceAll(/\W+/g, '_')

function toExpressionName(expression: Expression): string {
  if (expression.kind === 'duration') return expression.duration.unit
  return expression.kind === 'column' ? expression.column.name : 'revenue'
}

export function toMeasureName({ aggregate, expression }: Measure): string {
  if (expression.kind === 'rows') return `${toSnake(expression.table.name)}_count`
  if (expression.kind === 'metric') return toSnake(expression.metric.name)
  const name = toExpressionName(expression)
  const prefix = {
    sum: 'total',
    avg: 'average',
    count_distinct: 'distinct',
    count: 'count',
    median: 'median',
    min: 'lowest',
    max: 'highest',
  }[aggregate]
  return expression.kind === 'line_value' && aggregate === 'sum' ? 'revenue' : `${prefix}_${name}`
}
