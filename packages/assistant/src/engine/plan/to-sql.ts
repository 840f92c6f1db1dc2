import { type Model, type Table, listKeyColumns } from '../schema/model.ts'
import { findPath } from '../schema/join-paths.ts'
import { type Aliases, toColumn, toValue } from './aliases.ts'
import { type Joins, createJoins, toTableName } from './joins.ts'
import { type RenderContext, toGroupColumns, toMeasure, toMeasureName } from './measure-text.ts'
import { type Plan, getExpressionTable, getGroupTable, listMetrics } from './plan.ts'
import { quoteIdentifier } from './quote.ts'

export interface RenderedQuery {
  readonly sql: string
  readonly tables: readonly Table[]
  readonly isUncertain: boolean
  readonly hasBadJoin: boolean
}

export function toSql(model: Model, plan: Plan): RenderedQuery {
  const joins = createJoins(model, plan.base)
  joinNeeded(joins, plan)
  const { aliases, isMultiplied } = joins
  const rendering = { aliases, base: plan.base, isMultiplied }
  const where = plan.filters.map((filter) => joins.toCondition(filter))
  const select = [...listGroups(plan, aliases), ...listComputed(plan, joins, rendering), ...listPlain(plan, aliases)]
  const having = toHaving(plan, rendering)
  const order = plan.over === 'rows' ? toOrder(plan, rendering) : undefined
  const lines = [
    `select ${select.length === 0 ? '*' : select.join(', ')}`,
    `from ${toTableName(plan.base)} ${aliases.get(plan.base)}`,
    ...joins.lines,
    ...(where.length > 0 ? [`where ${where.join('\n  and ')}`] : []),
    ...(plan.groups.length > 0 ? [`group by ${toGroupTexts(plan, aliases).join(', ')}`] : []),
    ...(having.length > 0 ? [`having ${having.join(' and ')}`] : []),
    ...(order === undefined ? [] : [`order by ${order}`]),
    ...(plan.over === 'rows' && plan.limit !== null ? [`limit ${plan.limit}`] : []),
  ]
  return {
    sql: wrap(plan, lines.join('\n')),
    tables: [...new Set([...joins.tables].map((table) => table.role?.of ?? table))],
    isUncertain: joins.isUncertain || (isMultiplied && addsUpBase(plan)) || repeatsMeasure(model, plan),
    // A metric's own aggregation would be wrong over repeated rows.
    hasBadJoin: joins.hasBadJoin || (isMultiplied && listMetrics(plan).length > 0),
  }
}

function joinNeeded(joins: Joins, plan: Plan): void {
  for (const group of plan.groups) joins.join(getGroupTable(group))
  for (const { expression } of [...plan.measures, ...plan.having.map((having) => having.measure)]) {
    joins.join(getExpressionTable(expression))
    if (expression.kind === 'metric') for (const table of expression.metric.tables) joins.join(table)
  }
  for (const column of plan.columns) joins.join(column.table)
  if (plan.order && plan.order.by !== 'measure') joins.join(plan.order.by.table)
}

/** Rows that a join repeats would be summed more than once. */
const addsUpBase = (plan: Plan): boolean =>
  plan.measures.some(
    ({ aggregate, expression }) =>
      (aggregate === 'sum' || aggregate === 'avg') && getExpressionTable(expression) === plan.base,
  )

/** "yield per hectare": each field's hectares would be summed once per harvest. */
const repeatsMeasure = (model: Model, { base, measures }: Plan): boolean =>
  measures.some(({ aggregate, expression }) => {
    if (expression.kind !== 'column' || !['sum', 'avg', 'median'].includes(aggregate)) return false
    return findPath(model, base, expression.column.table)?.steps.some(({ isUp }) => isUp) === true
  })

function wrap(plan: Plan, sql: string): string {
  const indented = sql
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')
  const [first] = plan.measures
  if (plan.over === 'count') return `select count(*) as count\nfrom (\n${indented}\n) groups`
  if (plan.over === 'rows' || !first) return sql
  return `select avg(${quoteIdentifier(toMeasureName(first))}) as average\nfrom (\n${indented}\n) groups`
}

const toGroupTexts = (plan: Plan, aliases: Aliases): string[] => [
  ...new Set(plan.groups.flatMap((group) => toGroupColumns(group, aliases)).map(({ text }) => text)),
]

const listGroups = (plan: Plan, aliases: Aliases): string[] =>
  plan.groups
    .flatMap((group) => toGroupColumns(group, aliases))
    .map(({ text, name }) => (name === undefined ? text : `${text} as ${quoteIdentifier(name)}`))

function listComputed(plan: Plan, joins: Joins, rendering: RenderContext): string[] {
  const texts = plan.measures.map((measure) => toMeasure(measure, rendering))
  const [first = 'count(*)', second] = texts
  if (plan.share) {
    const factor = plan.share.isPercent ? '100.0' : '1.0'
    const name = plan.share.isPercent ? 'percent' : 'share'
    const part = plan.share.part.map((filter) => joins.toCondition(filter)).join(' and ')
    if (part !== '') return [`${factor} * ${first} filter (where ${part}) / nullif(${first}, 0) as ${name}`]
    const [measure] = plan.measures
    const own = measure ? [`${first} as ${quoteIdentifier(toMeasureName(measure))}`] : []
    return [...own, `${factor} * ${first} / nullif(sum(${first}) over (), 0) as ${name}`]
  }
  if (plan.isRatio && second !== undefined) return [`(${first})::numeric / nullif(${second}, 0) as ratio`]
  const names = new Set<string>()
  return plan.measures.map((measure, at) => {
    const name = toMeasureName(measure)
    const unique = names.has(name) ? `${name}_${at + 1}` : name
    names.add(unique)
    return `${texts[at] ?? first} as ${quoteIdentifier(unique)}`
  })
}

function listPlain(plan: Plan, aliases: Aliases): string[] {
  const columns = plan.columns.map((column) => toColumn(column, aliases))
  if (!plan.difference) return columns
  const [left, right] = plan.difference
  return [...columns, `${toValue(left, aliases)} - ${toValue(right, aliases)} as difference`]
}

const toHaving = (plan: Plan, rendering: RenderContext): string[] =>
  plan.having.map(({ measure, comparator, value, upper }) => {
    const text = toMeasure(measure, rendering)
    return comparator === 'between'
      ? `${text} between ${value} and ${upper ?? value}`
      : `${text} ${comparator} ${value}`
  })

function toOrder(plan: Plan, rendering: RenderContext): string | undefined {
  const { aliases } = rendering
  const direction = plan.order?.isAscending ? '' : ' desc'
  if (plan.order && plan.order.by !== 'measure') {
    const nulls = plan.order.by.isNullable && !plan.order.isAscending ? ' nulls last' : ''
    // Ties are broken by the key, so that LIMIT returns the same rows every time.
    const tie = plan.limit === null ? [] : listKeyColumns(plan.base).filter((column) => column !== plan.order?.by)
    return [
      `${toValue(plan.order.by, aliases)}${direction}${nulls}`,
      ...tie.map((column) => toColumn(column, aliases)),
    ].join(', ')
  }
  const groups = toGroupTexts(plan, aliases)
  const [measure] = plan.measures
  const isOverTime = plan.groups.some((group) => group.kind === 'column' && group.unit !== null)
  if (isOverTime && !plan.order) return groups.map((_, at) => String(at + 1)).join(', ')
  if (measure && groups.length > 0) {
    const by = plan.isRatio ? String(groups.length + 1) : toMeasure(measure, rendering)
    const tie = plan.limit === null ? '' : `, ${groups[0] ?? ''}`
    return `${by}${direction}${tie}`
  }
  const keys = plan.columns.length > 0 ? listKeyColumns(plan.base) : []
  return keys.length > 0 ? keys.map((column) => toColumn(column, aliases)).join(', ') : undefined
}
