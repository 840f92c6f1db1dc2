import { type Engine, answerQuestion } from './answer.ts'
import { nameTable } from './plan/describe.ts'
import { isCategory } from './schema/categories.ts'
import { type Column, type Model, type Table, findLineValue, isMeasure, listDateColumns } from './schema/model.ts'
import { toWords } from './schema/names.ts'

const MAX_QUESTIONS = 4
const MAX_TABLES = 8

const findCategory = ({ columns }: Table): Column | undefined => columns.find((column) => isCategory(column))

const listParents = ({ links }: Model, table: Table): Table[] =>
  links.filter(({ from }) => from === table).map(({ to }) => to)

function listCandidates(model: Model, table: Table): string[] {
  const name = nameTable(table)
  const amount = table.columns.find((column) => isMeasure(column))
  const category = findCategory(table)
  const other = listParents(model, table).flatMap((parent) => findCategory(parent) ?? [])[0]
  const by = category ?? other
  return [
    ...(findLineValue(table) && other ? [`Revenue by ${toWords(other.name)}`] : []),
    ...(amount && by ? [`Total ${toWords(amount.name)} by ${toWords(by.name)}`] : []),
    ...(!amount && by ? [`Number of ${name} by ${toWords(by.name)}`] : []),
    ...(listDateColumns(table).length > 0 ? [`Number of ${name} by month`] : []),
    // “How many daily revenue?” makes no sense: countable names only.
    ...(name.endsWith('s') ? [`How many ${name}?`] : []),
  ]
}

/** Only questions that the engine answers without asking back. */
export function suggestStarterQuestions(engine: Engine, now: Date): string[] {
  const tables = engine.model.tables.toSorted((a, b) => (b.rows ?? 0) - (a.rows ?? 0)).slice(0, MAX_TABLES)
  const isRead = (text: string) => {
    const answer = answerQuestion(engine, { text, choices: {}, now })
    return answer.kind === 'reading' && answer.reading.ignoredWords.length === 0
  }
  const defined = engine.metrics.slice(0, 2).map(({ name }) => `${name} by month`)
  const lists = [defined, ...tables.map((table) => listCandidates(engine.model, table))]
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  const questions: string[] = []
  for (let index = 0; index < longest; index += 1) {
    for (const list of lists) {
      const candidate = list[index]
      if (questions.length >= MAX_QUESTIONS) return questions
      if (candidate !== undefined && !questions.includes(candidate) && isRead(candidate)) questions.push(candidate)
    }
  }
  return questions
}
