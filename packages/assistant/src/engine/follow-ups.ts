import { type Engine, answerQuestion } from './answer.ts'
import { nameTable } from './plan/describe.ts'
import { type Plan, getExpressionTable } from './plan/plan.ts'
import { isCategory } from './schema/categories.ts'
import { listDateColumns } from './schema/model.ts'
import { toWords } from './schema/names.ts'

const MAX_QUESTIONS = 3

export function suggestFollowUps(engine: Engine, plan: Plan, now: Date): string[] {
  const { base, measures, groups, filters } = plan
  const [measure] = measures
  const what = measure ? describeMeasured(plan) : `number of ${nameTable(base)}`
  const table = measure ? getExpressionTable(measure.expression) : base
  const used = new Set([
    ...groups.flatMap((group) => (group.kind === 'column' ? [group.column.key] : [])),
    // Grouping by a column that is filtered to one value gives one group.
    ...filters.flatMap((filter) => ('column' in filter ? [filter.column.key] : [])),
  ])
  const dimensions = table.columns.filter((column) => isCategory(column) && !used.has(column.key))
  const questions = dimensions.slice(0, 2).map((column) => `${what} by ${toWords(column.name)}`)
  const hasUnit = groups.some((group) => group.kind === 'column' && group.unit !== null)
  if (!hasUnit && listDateColumns(table).length > 0) questions.unshift(`${what} by month`)
  const isRead = (text: string) => answerQuestion(engine, { text, choices: {}, now }).kind === 'reading'
  return questions.slice(0, MAX_QUESTIONS).filter((text) => isRead(text))
}

function describeMeasured({ measures: [measure] }: Plan): string {
  if (!measure || measure.expression.kind === 'rows')
    return `number of ${measure ? nameTable(getExpressionTable(measure.expression)) : ''}`
  if (measure.expression.kind === 'line_value') return 'revenue'
  if (measure.expression.kind === 'metric') return measure.expression.metric.name
  const prefix = measure.aggregate === 'avg' ? 'average' : measure.aggregate === 'median' ? 'median' : 'total'
  if (measure.expression.kind === 'column') return `${prefix} ${toWords(measure.expression.column.name)}`
  const { from, to, unit } = measure.expression.duration
  return `${prefix} ${unit} from ${toWords(from.name)} to ${toWords(to.name)}`
}
