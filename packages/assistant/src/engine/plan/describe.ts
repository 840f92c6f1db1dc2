import type { Column, Table } from '../schema/model.ts'
import { toWords } from '../schema/names.ts'
import {
  type Duration,
  type Expression,
  type Filter,
  type Group,
  type Having,
  type Measure,
  type Plan,
  listMetrics,
} from './plan.ts'

const AGGREGATES: Readonly<Record<Measure['aggregate'], string>> = {
  count: 'number of',
  sum: 'total',
  avg: 'average',
  median: 'median',
  min: 'lowest',
  max: 'highest',
  count_distinct: 'number of different',
}

export function describeMeasure({ aggregate, expression }: Measure): string {
  if (expression.kind === 'rows') return `number of ${nameTable(expression.table)}`
  if (expression.kind === 'metric') return `${expression.metric.name} (definition)`
  return `${AGGREGATES[aggregate]} ${describeExpression(expression)}`
}

function describeExpression(expression: Exclude<Expression, { kind: 'rows' | 'metric' }>): string {
  if (expression.kind === 'duration') return describeDuration(expression.duration)
  return expression.kind === 'line_value' ? `value of ${nameTable(expression.table)}` : toWords(expression.column.name)
}

const describeDuration = ({ from, to, unit }: Duration): string =>
  `${unit} from ${toWords(from.name)} to ${toWords(to.name)}`

const appendRole = ({ role }: Table, words: string): string => (role ? `${words} (${role.name})` : words)
export const nameTable = (table: Table): string => appendRole(table, toWords(table.name))
const nameColumn = ({ table, name }: Column): string => appendRole(table, toWords(name))

export function describeGroup(group: Group): string {
  if (group.kind === 'table') return nameTable(group.table)
  return group.unit === null ? nameColumn(group.column) : `${group.unit} of ${nameColumn(group.column)}`
}

export function describeFilter(filter: Filter): string {
  if (filter.kind === 'exists') {
    const inner = filter.filters.map((other) => describeFilter(other)).join(' and ')
    const what = `${nameTable(filter.table)}${inner === '' ? '' : ` where ${inner}`}`
    return `${filter.isNegated ? 'without' : 'with'} ${what}`
  }
  const name = nameColumn(filter.column)
  switch (filter.kind) {
    case 'in':
      return `${name} ${filter.isNegated ? 'is not' : 'is'} ${filter.values.join(' or ')}`
    case 'compare':
      return `${name} ${filter.comparator} ${filter.value}`
    case 'columns':
      return `${name} ${filter.comparator} ${nameColumn(filter.other)}`
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

const describeHaving = ({ measure, comparator, value, upper }: Having): string =>
  comparator === 'between'
    ? `${describeMeasure(measure)} from ${value} to ${upper ?? value}`
    : `${describeMeasure(measure)} ${comparator} ${value}`

export function describePlan(plan: Plan): string {
  const conditions = [
    ...plan.filters.map((filter) => describeFilter(filter)),
    ...plan.having.map((having) => describeHaving(having)),
  ]
  const where = conditions.length === 0 ? '' : `, ${conditions.join(', ')}`
  const by = plan.groups.length === 0 ? '' : ` by ${plan.groups.map((group) => describeGroup(group)).join(' and ')}`
  const defined = listMetrics(plan).map(({ name }) => ` Uses the definition of ${name}.`)
  const cast = listCast(plan).map(
    (name) => ` ${capitalise(name)} is stored as text: what is no number there is left out.`,
  )
  return `${toSubject(plan, by)}${where}${toOrder(plan)}.${defined.join('')}${cast.join('')}`
}

function listCast({ measures, having, filters, order, difference }: Plan): string[] {
  const expressions = [...measures, ...having.map(({ measure }) => measure)].map(({ expression }) => expression)
  const columns = [
    ...expressions.flatMap((expression) => (expression.kind === 'column' ? [expression.column] : [])),
    ...filters.flatMap((filter) => (filter.kind === 'compare' || filter.kind === 'between' ? [filter.column] : [])),
    ...(order && order.by !== 'measure' ? [order.by] : []),
    ...(difference ?? []),
  ]
  return [...new Set(columns.filter(({ isNumericText }) => isNumericText).map(({ name }) => toWords(name)))]
}

function toSubject(plan: Plan, by: string): string {
  const measures = plan.measures
    .map((measure) => describeMeasure(measure))
    .join(plan.isRatio ? ' divided by ' : ' and ')
  if (plan.share) {
    const part = plan.share.part.map((filter) => describeFilter(filter)).join(' and ')
    return part === '' ? `Share of the ${measures}${by}` : `Share of ${nameTable(plan.base)} with ${part}`
  }
  if (plan.over === 'count') return `How many groups${by} there are`
  if (plan.over === 'average') return `Average over the ${measures}${by}`
  if (plan.measures.length > 0) return capitalise(`${measures}${by}`)
  return `List of ${nameTable(plan.base)}`
}

function toOrder({ order, limit }: Plan): string {
  const first = limit === null ? '' : `, the first ${limit}`
  if (!order) return first
  const by = order.by === 'measure' ? '' : ` by ${toWords(order.by.name)}`
  return `${first}${by}, ${order.isAscending ? 'smallest' : 'largest'} first`
}

const capitalise = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
