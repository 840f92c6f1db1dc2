import type { Metric } from '../schema/metrics.ts'
import { type Column, type Table, findLineValueColumns, listDisplayColumns, listKeyColumns } from '../schema/model.ts'
import { type Aliases, quoteColumn, buildValueSql } from './aliases.ts'
import { buildDurationSql } from './duration-text.ts'
import type { Expression, Group, Measure } from './plan.ts'

/** What to select and group by: key and display columns of a table, a column, or its truncated date. */
export function listGroupExpressions(
  group: Group,
  aliases: Aliases,
): { expressionSql: string; name: string | undefined }[] {
  if (group.kind === 'table') {
    const columns = [...new Set([...listKeyColumns(group.table), ...listDisplayColumns(group.table)])]
    const shownColumns = columns.length > 0 ? columns : group.table.columns.slice(0, 3)
    return shownColumns.map((column) => ({
      expressionSql: quoteColumn(column, aliases),
      name: buildRoleColumnLabel(column),
    }))
  }
  const { column, unit } = group
  const columnSql = quoteColumn(column, aliases)
  if (unit === null) return [{ expressionSql: columnSql, name: buildRoleColumnLabel(column) }]
  const truncated = unit === 'hour' ? `date_trunc('hour', ${columnSql})` : `date_trunc('${unit}', ${columnSql})::date`
  return [{ expressionSql: truncated, name: unit }]
}

/** Two columns of one name from two roles of a table need different labels. */
const buildRoleColumnLabel = ({ table: { role }, name }: Column): string | undefined =>
  role && toSnake(`${role.name} ${name}`)

/** What an expression needs to know of its query. */
export interface SqlContext {
  readonly aliases: Aliases
  readonly base: Table
  readonly repeatsBaseRows: boolean
}

/** The expression of a metric, in parentheses unless it is a single call. */
function buildMetricSql({ pieces }: Metric, aliases: Aliases): string {
  const expressionSql = pieces
    .map((piece) => (typeof piece === 'string' ? piece : quoteColumn(piece, aliases)))
    .join('')
  return /^\w+\([^()]*\)$/.test(expressionSql.trim()) ? expressionSql.trim() : `(${expressionSql.trim()})`
}

/** The SQL of a column, metric, duration or line value, without its aggregate. */
function buildExpressionSql(expression: Expression, aliases: Aliases): string {
  if (expression.kind === 'column') return buildValueSql(expression.column, aliases)
  if (expression.kind === 'rows') return '*'
  if (expression.kind === 'metric') return buildMetricSql(expression.metric, aliases)
  if (expression.kind === 'duration') {
    const { from, to } = expression.duration
    return buildDurationSql(expression.duration, { from: quoteColumn(from, aliases), to: quoteColumn(to, aliases) })
  }
  // What remains is a line value: quantity times price, less the discount.
  const lineValue = findLineValueColumns(expression.table)
  if (!lineValue) return '*'
  const valueSql = `${quoteColumn(lineValue.quantity, aliases)} * ${quoteColumn(lineValue.price, aliases)}`
  return lineValue.discount ? `${valueSql} * (1 - ${quoteColumn(lineValue.discount, aliases)})` : valueSql
}

/** The aggregate in SQL; rows are counted by distinct key when joins repeat them. */
export function buildMeasureSql(
  { aggregate, expression }: Measure,
  { aliases, base, repeatsBaseRows }: SqlContext,
): string {
  if (expression.kind === 'rows') {
    const keys = listKeyColumns(expression.table)
    const [key] = keys
    if ((expression.table !== base || repeatsBaseRows) && key) {
      return keys.length === 1
        ? `count(distinct ${quoteColumn(key, aliases)})`
        : `count(distinct (${keys.map((column) => quoteColumn(column, aliases)).join(', ')}))`
    }
    return 'count(*)'
  }
  const expressionSql = buildExpressionSql(expression, aliases)
  if (expression.kind === 'metric') return expressionSql
  switch (aggregate) {
    case 'count':
      return `count(${expressionSql})`
    case 'count_distinct':
      return `count(distinct ${expressionSql})`
    case 'median':
      return `percentile_cont(0.5) within group (order by ${expressionSql})`
    default:
      return `${aggregate}(${expressionSql})`
  }
}

const toSnake = (name: string): string => name.toLowerCase().replaceAll(/\W+/g, '_')

function buildExpressionLabel(expression: Expression): string {
  if (expression.kind === 'duration') return expression.duration.unit
  return expression.kind === 'column' ? expression.column.name : 'revenue'
}

/** The column label of a measure, such as `total_amount` or `orders_count`. */
export function buildMeasureLabel({ aggregate, expression }: Measure): string {
  if (expression.kind === 'rows') return `${toSnake(expression.table.name)}_count`
  if (expression.kind === 'metric') return toSnake(expression.metric.name)
  const name = buildExpressionLabel(expression)
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
