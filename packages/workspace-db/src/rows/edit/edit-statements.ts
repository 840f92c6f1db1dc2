import type { Statement, Value } from '../../session/portal.ts'
import { badValue } from '../filters.ts'
import type { EditableColumn, EditableTable } from './editable-table.ts'
import type { RowEdit } from './row-edit.ts'

type AddParameter = (value: Value, type: string) => string

function findColumn(table: EditableTable, name: string): EditableColumn {
  const column = table.columns.find((knownEditableColumn) => knownEditableColumn.name === name)
  if (!column) throw badValue(`The table has no column "${name.slice(0, 80)}".`)
  return column
}

function findWritable(table: EditableTable, name: string): EditableColumn {
  const column = findColumn(table, name)
  if (column.isGenerated) throw badValue(`The column "${name}" is computed by the database and can’t be written.`)
  return column
}

export function listReturned(table: EditableTable, edit: RowEdit): readonly EditableColumn[] {
  if (edit.kind !== 'update') return table.columns.filter(({ isGenerated }) => !isGenerated)
  const changedEditableColumns = edit.changes.map(({ column }) => findColumn(table, column))
  return [...table.key, ...changedEditableColumns]
}

function buildKeyConditions(table: EditableTable, key: readonly string[], place: AddParameter): string[] {
  if (key.length !== table.key.length) throw badValue('This is not the key of a row.')
  return table.key.map(({ quoted, castType }, at) => `${quoted} = ${place(key[at] ?? null, castType)}`)
}

/** As text, since some types have no equality. */
const isStill = (column: EditableColumn, old: Value, place: AddParameter) =>
  `${column.quoted}::text is not distinct from ${place(old, 'text')}`

function writeText(table: EditableTable, edit: RowEdit, place: AddParameter): string {
  switch (edit.kind) {
    case 'insert': {
      const columns = edit.values.map(({ column }) => findWritable(table, column))
      if (columns.length === 0) return `insert into ${table.quoted} default values`
      const names = columns.map(({ quoted }) => quoted).join(', ')
      const values = edit.values.map(({ value }, at) => place(value, columns[at]?.castType ?? 'text')).join(', ')
      const overriding = columns.some(({ identity }) => identity === 'always') ? ' overriding system value' : ''
      return `insert into ${table.quoted} (${names})${overriding} values (${values})`
    }
    case 'update': {
      if (edit.changes.length === 0) throw badValue('A change names at least one column.')
      const columns = edit.changes.map(({ column }) => findWritable(table, column))
      const set = edit.changes.map(({ value }, at) => {
        const { quoted = '', castType = 'text' } = columns[at] ?? {}
        return `${quoted} = ${place(value, castType)}`
      })
      const still = edit.changes.map(({ old }, at) => isStill(columns[at] as EditableColumn, old, place))
      const where = [...buildKeyConditions(table, edit.key, place), ...still]
      return `update ${table.quoted} set ${set.join(', ')} where ${where.join(' and ')}`
    }
    case 'delete': {
      const still = edit.old.map(({ column, value }) => isStill(findColumn(table, column), value, place))
      return `delete from ${table.quoted} where ${[...buildKeyConditions(table, edit.key, place), ...still].join(' and ')}`
    }
  }
}

export function buildEditStatement(table: EditableTable, edit: RowEdit): Required<Statement> {
  const values: Value[] = []
  const text = writeText(table, edit, (value, type) => `$${values.push(value)}::${type}`)
  const returned = listReturned(table, edit)
    .map(({ quoted }) => `${quoted}::text`)
    .join(', ')
  return { text: `${text} returning ${returned}`, values }
}

export function buildReadStatement(
  table: EditableTable,
  key: readonly string[],
  columns: readonly string[],
): Required<Statement> {
  const values: Value[] = []
  const where = buildKeyConditions(table, key, (value, type) => `$${values.push(value)}::${type}`)
  const cells = columns.map((name) => `${findColumn(table, name).quoted}::text`).join(', ')
  return { text: `select ${cells || 'null'} from ${table.quoted} where ${where.join(' and ')}`, values }
}

const PLAIN_NUMBER = /^-?\d{1,18}(?:\.\d{1,18})?$/
const NUMBERS = /^(?:smallint|integer|bigint|numeric|real|double precision)$/

export function formatEditStatement(table: EditableTable, edit: RowEdit): string {
  const literal: AddParameter = (value, type) => {
    if (value === null) return 'null'
    if (NUMBERS.test(type) && PLAIN_NUMBER.test(value)) return value
    const quoted = `'${value.replaceAll("'", "''")}'`
    return value.includes('\\') ? ` E${quoted.replaceAll('\\', '\\\\')}`.trim() : quoted
  }
  return `${writeText(table, edit, literal)};`
}
