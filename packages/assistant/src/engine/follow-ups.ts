import { type Engine, answerQuestion } from './answer.ts'
import { describeTable } from './plan/describe.ts'
import { type Plan, findTableOfExpression } from './plan/plan.ts'
import { isCategoryColumn } from './schema/categories.ts'
import { listDateColumns } from './schema/model.ts'
import { toReadableName } from './schema/names.ts'

const MAX_QUESTIONS = 3

/** Up to three next questions that the engine can answer, such as "total price by month". */
export function suggestFollowUps(engine: Engine, plan: Plan, now: Date): string[] {
  const { base, measures, groups, filters } = plan
  const [measure] = measures
  const measureName = measure ? describeMeasureInQuestion(plan) : `number of ${describeTable(base)}`
  const table = measure ? findTableOfExpression(measure.expression) : base
  const usedColumnKeys = new Set([
    ...groups.flatMap((group) => (group.kind === 'column' ? [group.column.key] : [])),
    // Grouping by a column that is filtered to one value gives one group.
    ...filters.flatMap((filter) => ('column' in filter ? [filter.column.key] : [])),
  ])
  const dimensions = table.columns.filter((column) => isCategoryColumn(column) && !usedColumnKeys.has(column.key))
  const questions = dimensions.slice(0, 2).map((column) => `${measureName} by ${toReadableName(column.name)}`)
  const hasUnit = groups.some((group) => group.kind === 'column' && group.unit !== null)
  if (!hasUnit && listDateColumns(table).length > 0) questions.unshift(`${measureName} by month`)
  const isAnswered = (text: string) => answerQuestion(engine, { text, choices: {}, now }).kind === 'reading'
  return questions.slice(0, MAX_QUESTIONS).filter((text) => isAnswered(text))
}

/** The measure in words that the engine reads again: "average price". */
function describeMeasureInQuestion({ measures: [measure] }: Plan): string {
  if (!measure || measure.expression.kind === 'rows')
    return `number of ${measure ? describeTable(findTableOfExpression(measure.expression)) : ''}`
  if (measure.expression.kind === 'line_value') return 'revenue'
  if (measure.expression.kind === 'metric') return measure.expression.metric.name
  const prefix = measure.aggregate === 'avg' ? 'average' : measure.aggregate === 'median' ? 'median' : 'total'
  if (measure.expression.kind === 'column') return `${prefix} ${toReadableName(measure.expression.column.name)}`
  const { from, to, unit } = measure.expression.duration
  return `${prefix} ${unit} from ${toReadableName(from.name)} to ${toReadableName(to.name)}`
}
