import type { Statement, Value } from '../../session/portal.ts'
import { badValueError } from '../filters.ts'
import type { EditableColumn, EditableTable } from './editable-table.ts'
import type { RowEdit } from './row-edit.ts'

type AddParameter = (value: Value, type: string) => string

function getColumn(table: EditableTable, name: string): EditableColumn {
  const column = table.columns.find((candidate) => candidate.name === name)
  if (!column) throw badValueError(`The table has no column "${name.slice(0, 80)}".`)
  return column
}

function getWritableColumn(table: EditableTable, name: string): EditableColumn {
  const column = getColumn(table, name)
  if (column.isGenerated) throw badValueError(`The column "${name}" is computed by the database and can’t be written.`)
  return column
}

export function listReturnedColumns(table: EditableTable, edit: RowEdit): readonly EditableColumn[] {
  if (edit.kind !== 'update') return table.columns.filter(({ isGenerated }) => !isGenerated)
  const changedColumns = edit.changes.map(({ column }) => getColumn(table, column))
  return [...table.key, ...changedColumns]
}

function buildKeyConditions(table: EditableTable, key: readonly string[], addParameter: AddParameter): string[] {
  if (key.length !== table.key.length) throw badValueError('This is not the key of a row.')
  return table.key.map(({ quoted, castType }, index) => `${quoted} = ${addParameter(key[index] ?? null, castType)}`)
}

/** As text, since some types have no equality. */
const buildUnchangedCondition = (column: EditableColumn, old: Value, addParameter: AddParameter) =>
  `${column.quoted}::text is not distinct from ${addParameter(old, 'text')}`

function buildEditSql(table: EditableTable, edit: RowEdit, addParameter: AddParameter): string {
  switch (edit.kind) {
    case 'insert': {
      const columns = edit.values.map(({ column }) => getWritableColumn(table, column))
      if (columns.length === 0) return `insert into ${table.quoted} default values`
      const names = columns.map(({ quoted }) => quoted).join(', ')
      const values = edit.values
        .map(({ value }, index) => addParameter(value, columns[index]?.castType ?? 'text'))
        .join(', ')
      const overriding = columns.some(({ identity }) => identity === 'always') ? ' overriding system value' : ''
      return `insert into ${table.quoted} (${names})${overriding} values (${values})`
    }
    case 'update': {
      if (edit.changes.length === 0) throw badValueError('A change names at least one column.')
      const columns = edit.changes.map(({ column }) => getWritableColumn(table, column))
      const assignments = edit.changes.map(({ value }, index) => {
        const { quoted = '', castType = 'text' } = columns[index] ?? {}
        return `${quoted} = ${addParameter(value, castType)}`
      })
      const unchangedConditions = edit.changes.map(({ old }, index) =>
        buildUnchangedCondition(columns[index] as EditableColumn, old, addParameter),
      )
      const where = [...buildKeyConditions(table, edit.key, addParameter), ...unchangedConditions]
      return `update ${table.quoted} set ${assignments.join(', ')} where ${where.join(' and ')}`
    }
    case 'delete': {
      const unchangedConditions = edit.old.map(({ column, value }) =>
        buildUnchangedCondition(getColumn(table, column), value, addParameter),
      )
      return `delete from ${table.quoted} where ${[...buildKeyConditions(table, edit.key, addParameter), ...unchangedConditions].join(' and ')}`
    }
  }
}

export function buildEditStatement(table: EditableTable, edit: RowEdit): Required<Statement> {
  const values: Value[] = []
  const text = buildEditSql(table, edit, (value, type) => `$${values.push(value)}::${type}`)
  const returnedExpressions = listReturnedColumns(table, edit)
    .map(({ quoted }) => `${quoted}::text`)
    .join(', ')
  return { text: `${text} returning ${returnedExpressions}`, values }
}

export function buildReadStatement(
  table: EditableTable,
  key: readonly string[],
  columns: readonly string[],
): Required<Statement> {
  const values: Value[] = []
  const where = buildKeyConditions(table, key, (value, type) => `$${values.push(value)}::${type}`)
  const cells = columns.map((name) => `${getColumn(table, name).quoted}::text`).join(', ')
  return { text: `select ${cells || 'null'} from ${table.quoted} where ${where.join(' and ')}`, values }
}

const PLAIN_NUMBER = /^-?\d{1,18}(?:\.\d{1,18})?$/
const NUMBER_TYPES = /^(?:smallint|integer|bigint|numeric|real|double precision)$/

export function formatEditStatement(table: EditableTable, edit: RowEdit): string {
  const addLiteral: AddParameter = (value, type) => {
    if (value === null) return 'null'
    if (NUMBER_TYPES.test(type) && PLAIN_NUMBER.test(value)) return value
    const quoted = `'${value.replaceAll("'", "''")}'`
    return value.includes('\\') ? ` E${quoted.replaceAll('\\', '\\\\')}`.trim() : quoted
  }
  return `${buildEditSql(table, edit, addLiteral)};`
}
