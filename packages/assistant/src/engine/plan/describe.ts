import type { Column, Table } from '../schema/model.ts'
import { toReadableName } from '../schema/names.ts'
import {
  type Duration,
  type Expression,
  type Filter,
  type Group,
  type GroupCondition,
  type Measure,
  type Plan,
  listMetrics,
} from './plan.ts'

const AGGREGATE_NAMES: Readonly<Record<Measure['aggregate'], string>> = {
  count: 'number of',
  sum: 'total',
  avg: 'average',
  median: 'median',
  min: 'lowest',
  max: 'highest',
  count_distinct: 'number of different',
}

export function describeMeasure({ aggregate, expression }: Measure): string {
  if (expression.kind === 'rows') return `number of ${describeTable(expression.table)}`
  if (expression.kind === 'metric') return `${expression.metric.name} (definition)`
  return `${AGGREGATE_NAMES[aggregate]} ${describeExpression(expression)}`
}

function describeExpression(expression: Exclude<Expression, { kind: 'rows' | 'metric' }>): string {
  if (expression.kind === 'duration') return describeDuration(expression.duration)
  return expression.kind === 'line_value'
    ? `value of ${describeTable(expression.table)}`
    : toReadableName(expression.column.name)
}

const describeDuration = ({ from, to, unit }: Duration): string =>
  `${unit} from ${toReadableName(from.name)} to ${toReadableName(to.name)}`

/** Two airports of a flight differ by role: "city (origin)". */
const appendRole = ({ role }: Table, words: string): string => (role ? `${words} (${role.name})` : words)
export const describeTable = (table: Table): string => appendRole(table, toReadableName(table.name))
const describeColumn = ({ table, name }: Column): string => appendRole(table, toReadableName(name))

export function describeGroup(group: Group): string {
  if (group.kind === 'table') return describeTable(group.table)
  return group.unit === null ? describeColumn(group.column) : `${group.unit} of ${describeColumn(group.column)}`
}

/** A condition in words, such as "status is paid" or "without orders". */
export function describeFilter(filter: Filter): string {
  if (filter.kind === 'exists') {
    const inner = filter.filters.map((other) => describeFilter(other)).join(' and ')
    const what = `${describeTable(filter.table)}${inner === '' ? '' : ` where ${inner}`}`
    return `${filter.isNegated ? 'without' : 'with'} ${what}`
  }
  const name = describeColumn(filter.column)
  switch (filter.kind) {
    case 'in':
      return `${name} ${filter.isNegated ? 'is not' : 'is'} ${filter.values.join(' or ')}`
    case 'compare':
      return `${name} ${filter.comparator} ${filter.value}`
    case 'columns':
      return `${name} ${filter.comparator} ${describeColumn(filter.other)}`
    case 'between':
      return `${name} from ${filter.low} to ${filter.high}`
    case 'duration':
      return `${describeDuration({ ...filter, from: filter.column })} ${filter.comparator} ${filter.value}`
    case 'boolean':
      return `${filter.isTrue ? '' : 'not '}${name}`
    case 'null':
      return `${filter.isNull ? 'no' : 'with a'} ${name}`
    case 'time':
      return `${name} ${filter.isNegated ? 'not ' : ''}in ${filter.ranges.map(({ label }) => label).join(', ')}`
  }
}

const describeHaving = ({ measure, comparator, value, upper }: GroupCondition): string =>
  comparator === 'between'
    ? `${describeMeasure(measure)} from ${value} to ${upper ?? value}`
    : `${describeMeasure(measure)} ${comparator} ${value}`

/** The plan as a sentence, such as "Total amount by month, status is paid." */
export function describePlan(plan: Plan): string {
  const conditions = [
    ...plan.filters.map((filter) => describeFilter(filter)),
    ...plan.groupConditions.map((having) => describeHaving(having)),
  ]
  const where = conditions.length === 0 ? '' : `, ${conditions.join(', ')}`
  const by = plan.groups.length === 0 ? '' : ` by ${plan.groups.map((group) => describeGroup(group)).join(' and ')}`
  const metricNotes = listMetrics(plan).map(({ name }) => ` Uses the definition of ${name}.`)
  const castNotes = listTextColumnsCastToNumbers(plan).map(
    (name) => ` ${capitalise(name)} is stored as text: what is no number there is left out.`,
  )
  return `${describeSubject(plan, by)}${where}${describeOrder(plan)}.${metricNotes.join('')}${castNotes.join('')}`
}

/** Columns whose texts are cast to numbers, which leaves out what is no number. */
function listTextColumnsCastToNumbers({ measures, groupConditions, filters, order, difference }: Plan): string[] {
  const expressions = [...measures, ...groupConditions.map(({ measure }) => measure)].map(
    ({ expression }) => expression,
  )
  const columns = [
    ...expressions.flatMap((expression) => (expression.kind === 'column' ? [expression.column] : [])),
    ...filters.flatMap((filter) => (filter.kind === 'compare' || filter.kind === 'between' ? [filter.column] : [])),
    ...(order && order.by !== 'measure' ? [order.by] : []),
    ...(difference ?? []),
  ]
  return [...new Set(columns.filter(({ isNumericText }) => isNumericText).map(({ name }) => toReadableName(name)))]
}

/** What is shown, such as "Number of orders by status" or "List of customers". */
function describeSubject(plan: Plan, by: string): string {
  const measures = plan.measures
    .map((measure) => describeMeasure(measure))
    .join(plan.isRatio ? ' divided by ' : ' and ')
  if (plan.share) {
    const partConditions = plan.share.part.map((filter) => describeFilter(filter)).join(' and ')
    return partConditions === ''
      ? `Share of the ${measures}${by}`
      : `Share of ${describeTable(plan.base)} with ${partConditions}`
  }
  if (plan.groupSummary === 'count') return `How many groups${by} there are`
  if (plan.groupSummary === 'average') return `Average over the ${measures}${by}`
  if (plan.measures.length > 0) return capitalise(`${measures}${by}`)
  return `List of ${describeTable(plan.base)}`
}

/** ", the first 5 by price, largest first" */
function describeOrder({ order, limit }: Plan): string {
  const limitPhrase = limit === null ? '' : `, the first ${limit}`
  if (!order) return limitPhrase
  const by = order.by === 'measure' ? '' : ` by ${toReadableName(order.by.name)}`
  return `${limitPhrase}${by}, ${order.isAscending ? 'smallest' : 'largest'} first`
}

const capitalise = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
