import { type Engine, answerQuestion } from './answer.ts'
import type { Catalogue, CatalogueColumn } from './schema/catalogue.ts'

export const NOW = new Date('2025-12-15T12:00:00Z')

/** `name kind value value`; `?` after the kind makes it nullable. */
export function toColumn(text: string): CatalogueColumn {
  const [name = '', kind = 'text', ...values] = text.split(' ')
  const isNullable = kind.endsWith('?')
  const type = kind.replace('?', '') as CatalogueColumn['kind']
  return { name, kind: type, comment: null, isNullable, values, distinct: values.length }
}

export const toTable = (name: string, columns: readonly string[]): Catalogue['tables'][number] => ({
  schema: 's',
  name,
  comment: null,
  labels: [],
  rows: 100,
  columns: columns.map((column) => toColumn(column)),
  primaryKey: [columns[0]?.split(' ')[0] ?? ''],
})

/** `other` is a table, or `table.column` if its key is not called `id`. */
export function toKey(table: string, column: string, other: string): Catalogue['foreignKeys'][number] {
  const [otherTable = '', otherColumn = column] = other.split('.')
  return { schema: 's', table, columns: [column], otherSchema: 's', otherTable, otherColumns: [otherColumn] }
}

export function ask(engine: Engine, text: string): string {
  const answer = answerQuestion(engine, { text, now: NOW, choices: {} })
  return answer.kind === 'reading' ? answer.reading.sql.replaceAll(/\s+/g, ' ') : answer.kind
}

export function listOffers(engine: Engine, text: string): string[] {
  const answer = answerQuestion(engine, { text, now: NOW, choices: {} })
  return answer.kind === 'readings' ? answer.readings.map(({ summary }) => summary) : []
}
