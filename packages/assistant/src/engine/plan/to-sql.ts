import { type Model, type Table, listKeyColumns } from '../schema/model.ts'
import { findJoinPath } from '../schema/join-paths.ts'
import { type Aliases, quoteColumn, buildValueSql } from './aliases.ts'
import { type JoinBuilder, createJoinBuilder, quoteTableName } from './joins.ts'
import { type SqlContext, listGroupExpressions, buildMeasureSql, buildMeasureLabel } from './measure-text.ts'
import { type Plan, findTableOfExpression, findTableOfGroup, listMetrics } from './plan.ts'
import { quoteIdentifier } from './quote.ts'

/** A query and whether its joins can be trusted. */
export interface PlanQuery {
  readonly sql: string
  readonly tables: readonly Table[]
  readonly isUncertain: boolean
  readonly hasBadJoin: boolean
}

/** Renders the plan as one SELECT. */
export function buildPlanSql(model: Model, plan: Plan): PlanQuery {
  const joinBuilder = createJoinBuilder(model, plan.base)
  addJoinsOfPlan(joinBuilder, plan)
  const { aliases, repeatsBaseRows } = joinBuilder
  const sqlContext = { aliases, base: plan.base, repeatsBaseRows }
  const where = plan.filters.map((filter) => joinBuilder.buildCondition(filter))
  const select = [
    ...listSelectedGroups(plan, aliases),
    ...listSelectedMeasures(plan, joinBuilder, sqlContext),
    ...listSelectedColumns(plan, aliases),
  ]
  const having = listHavingSql(plan, sqlContext)
  const order = plan.groupSummary === 'rows' ? buildOrderSql(plan, sqlContext) : undefined
  const clauses = [
    `select ${select.length === 0 ? '*' : select.join(', ')}`,
    `from ${quoteTableName(plan.base)} ${aliases.get(plan.base)}`,
    ...joinBuilder.joinClauses,
    ...(where.length > 0 ? [`where ${where.join('\n  and ')}`] : []),
    ...(plan.groups.length > 0 ? [`group by ${listGroupBySql(plan, aliases).join(', ')}`] : []),
    ...(having.length > 0 ? [`having ${having.join(' and ')}`] : []),
    ...(order === undefined ? [] : [`order by ${order}`]),
    ...(plan.groupSummary === 'rows' && plan.limit !== null ? [`limit ${plan.limit}`] : []),
  ]
  return {
    sql: wrapGroupSummary(plan, clauses.join('\n')),
    tables: [...new Set([...joinBuilder.usedTables].map((table) => table.role?.originalTable ?? table))],
    isUncertain:
      joinBuilder.isPathAmbiguous || (repeatsBaseRows && sumsBaseRows(plan)) || hasMeasureRepeatedByJoin(model, plan),
    // A metric's own aggregation would be wrong over repeated rows.
    hasBadJoin: joinBuilder.hasUnconnectedTable || (repeatsBaseRows && listMetrics(plan).length > 0),
  }
}

/** Joins the tables of groups, measures, listed columns and order; filters add their own. */
function addJoinsOfPlan(joinBuilder: JoinBuilder, plan: Plan): void {
  for (const group of plan.groups) joinBuilder.addJoin(findTableOfGroup(group))
  for (const { expression } of [...plan.measures, ...plan.groupConditions.map((having) => having.measure)]) {
    joinBuilder.addJoin(findTableOfExpression(expression))
    if (expression.kind === 'metric') for (const table of expression.metric.tables) joinBuilder.addJoin(table)
  }
  for (const column of plan.columns) joinBuilder.addJoin(column.table)
  if (plan.order && plan.order.by !== 'measure') joinBuilder.addJoin(plan.order.by.table)
}

/** Rows that a join repeats would be summed more than once. */
const sumsBaseRows = (plan: Plan): boolean =>
  plan.measures.some(
    ({ aggregate, expression }) =>
      (aggregate === 'sum' || aggregate === 'avg') && findTableOfExpression(expression) === plan.base,
  )

/** "yield per hectare": each field's hectares would be summed once per harvest. */
const hasMeasureRepeatedByJoin = (model: Model, { base, measures }: Plan): boolean =>
  measures.some(({ aggregate, expression }) => {
    if (expression.kind !== 'column' || !['sum', 'avg', 'median'].includes(aggregate)) return false
    return findJoinPath(model, base, expression.column.table)?.steps.some(({ isManyToOne }) => isManyToOne) === true
  })

/** "average orders per customer" and "how many customers have …" summarise the groups in an outer query. */
function wrapGroupSummary(plan: Plan, sql: string): string {
  const indented = sql
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')
  const [measure] = plan.measures
  if (plan.groupSummary === 'count') return `select count(*) as count\nfrom (\n${indented}\n) groups`
  if (plan.groupSummary === 'rows' || !measure) return sql
  return `select avg(${quoteIdentifier(buildMeasureLabel(measure))}) as average\nfrom (\n${indented}\n) groups`
}

const listGroupBySql = (plan: Plan, aliases: Aliases): string[] => [
  ...new Set(
    plan.groups.flatMap((group) => listGroupExpressions(group, aliases)).map(({ expressionSql }) => expressionSql),
  ),
]

const listSelectedGroups = (plan: Plan, aliases: Aliases): string[] =>
  plan.groups
    .flatMap((group) => listGroupExpressions(group, aliases))
    .map(({ expressionSql, name }) =>
      name === undefined ? expressionSql : `${expressionSql} as ${quoteIdentifier(name)}`,
    )

/** The measures as select items; a share or a ratio becomes one item. */
function listSelectedMeasures(plan: Plan, joinBuilder: JoinBuilder, sqlContext: SqlContext): string[] {
  const measureSqls = plan.measures.map((measure) => buildMeasureSql(measure, sqlContext))
  const [firstSql = 'count(*)', secondSql] = measureSqls
  if (plan.share) {
    const factor = plan.share.isPercent ? '100.0' : '1.0'
    const name = plan.share.isPercent ? 'percent' : 'share'
    const partCondition = plan.share.part.map((filter) => joinBuilder.buildCondition(filter)).join(' and ')
    if (partCondition !== '')
      return [`${factor} * ${firstSql} filter (where ${partCondition}) / nullif(${firstSql}, 0) as ${name}`]
    const [measure] = plan.measures
    const measureColumn = measure ? [`${firstSql} as ${quoteIdentifier(buildMeasureLabel(measure))}`] : []
    return [...measureColumn, `${factor} * ${firstSql} / nullif(sum(${firstSql}) over (), 0) as ${name}`]
  }
  if (plan.isRatio && secondSql !== undefined) return [`(${firstSql})::numeric / nullif(${secondSql}, 0) as ratio`]
  const usedNames = new Set<string>()
  return plan.measures.map((measure, measureIndex) => {
    const name = buildMeasureLabel(measure)
    const uniqueName = usedNames.has(name) ? `${name}_${measureIndex + 1}` : name
    usedNames.add(uniqueName)
    return `${measureSqls[measureIndex] ?? firstSql} as ${quoteIdentifier(uniqueName)}`
  })
}

function listSelectedColumns(plan: Plan, aliases: Aliases): string[] {
  const columns = plan.columns.map((column) => quoteColumn(column, aliases))
  if (!plan.difference) return columns
  const [left, right] = plan.difference
  return [...columns, `${buildValueSql(left, aliases)} - ${buildValueSql(right, aliases)} as difference`]
}

const listHavingSql = (plan: Plan, sqlContext: SqlContext): string[] =>
  plan.groupConditions.map(({ measure, comparator, value, upper }) => {
    const measureSql = buildMeasureSql(measure, sqlContext)
    return comparator === 'between'
      ? `${measureSql} between ${value} and ${upper ?? value}`
      : `${measureSql} ${comparator} ${value}`
  })

/** ORDER BY as asked, by time for series, otherwise by key; undefined for a single row. */
function buildOrderSql(plan: Plan, sqlContext: SqlContext): string | undefined {
  const { aliases } = sqlContext
  const direction = plan.order?.isAscending ? '' : ' desc'
  if (plan.order && plan.order.by !== 'measure') {
    const nulls = plan.order.by.isNullable && !plan.order.isAscending ? ' nulls last' : ''
    // Ties are broken by the key, so that LIMIT returns the same rows every time.
    const tieBreakers =
      plan.limit === null ? [] : listKeyColumns(plan.base).filter((column) => column !== plan.order?.by)
    return [
      `${buildValueSql(plan.order.by, aliases)}${direction}${nulls}`,
      ...tieBreakers.map((column) => quoteColumn(column, aliases)),
    ].join(', ')
  }
  const groups = listGroupBySql(plan, aliases)
  const [measure] = plan.measures
  const isOverTime = plan.groups.some((group) => group.kind === 'column' && group.unit !== null)
  if (isOverTime && !plan.order) return groups.map((_, groupIndex) => String(groupIndex + 1)).join(', ')
  if (measure && groups.length > 0) {
    const measureSql = plan.isRatio ? String(groups.length + 1) : buildMeasureSql(measure, sqlContext)
    const tieBreakers = plan.limit === null ? '' : `, ${groups[0] ?? ''}`
    return `${measureSql}${direction}${tieBreakers}`
  }
  const keyColumns = plan.columns.length > 0 ? listKeyColumns(plan.base) : []
  return keyColumns.length > 0 ? keyColumns.map((column) => quoteColumn(column, aliases)).join(', ') : undefined
}
