import { type Engine, answerQuestion } from './answer.ts'
import { describeTable } from './plan/describe.ts'
import { isCategoryColumn } from './schema/categories.ts'
import {
  type Column,
  type Model,
  type Table,
  findLineValueColumns,
  isMeasure,
  listDateColumns,
} from './schema/model.ts'
import { toReadableName } from './schema/names.ts'

const MAX_QUESTIONS = 4
const MAX_TABLES = 8

const findCategoryColumn = ({ columns }: Table): Column | undefined =>
  columns.find((column) => isCategoryColumn(column))

const listReferencedTables = ({ foreignKeys }: Model, table: Table): Table[] =>
  foreignKeys.filter(({ from }) => from === table).map(({ to }) => to)

/** Questions about one table, such as "Total amount by status" or "Number of orders by month". */
function listCandidateQuestions(model: Model, table: Table): string[] {
  const name = describeTable(table)
  const amountColumn = table.columns.find((column) => isMeasure(column))
  const category = findCategoryColumn(table)
  const categoryOfParent = listReferencedTables(model, table).flatMap((parent) => findCategoryColumn(parent) ?? [])[0]
  const groupColumn = category ?? categoryOfParent
  return [
    ...(findLineValueColumns(table) && categoryOfParent ? [`Revenue by ${toReadableName(categoryOfParent.name)}`] : []),
    ...(amountColumn && groupColumn
      ? [`Total ${toReadableName(amountColumn.name)} by ${toReadableName(groupColumn.name)}`]
      : []),
    ...(!amountColumn && groupColumn ? [`Number of ${name} by ${toReadableName(groupColumn.name)}`] : []),
    ...(listDateColumns(table).length > 0 ? [`Number of ${name} by month`] : []),
    // “How many daily revenue?” makes no sense: countable names only.
    ...(name.endsWith('s') ? [`How many ${name}?`] : []),
  ]
}

/** Only questions that the engine answers without asking back. */
export function suggestStarterQuestions(engine: Engine, now: Date): string[] {
  const tables = engine.model.tables.toSorted((a, b) => (b.rows ?? 0) - (a.rows ?? 0)).slice(0, MAX_TABLES)
  const isFullyUnderstood = (text: string) => {
    const answer = answerQuestion(engine, { text, choices: {}, now })
    return answer.kind === 'reading' && answer.reading.ignoredWords.length === 0
  }
  const metricQuestions = engine.metrics.slice(0, 2).map(({ name }) => `${name} by month`)
  const candidateLists = [metricQuestions, ...tables.map((table) => listCandidateQuestions(engine.model, table))]
  const maxLength = Math.max(0, ...candidateLists.map(({ length }) => length))
  const questions: string[] = []
  for (let index = 0; index < maxLength; index += 1) {
    for (const list of candidateLists) {
      const candidate = list[index]
      if (questions.length >= MAX_QUESTIONS) return questions
      if (candidate !== undefined && !questions.includes(candidate) && isFullyUnderstood(candidate))
        questions.push(candidate)
    }
  }
  return questions
}
