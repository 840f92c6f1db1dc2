import type { Catalogue } from './catalogue.ts'
import { type Column, type ModelForeignKey, type Model, type Table, findColumn } from './model.ts'
import { expandNameParts, splitName, toStems } from './names.ts'
import { inferValueKind } from './stored-kinds.ts'
import { listTableRoles } from './table-roles.ts'

const isKeyName = (name: string) => /(^|_)(id|key|uuid|guid|pk|fk)$|Id$|ID$/.test(name)

/** Links the tables of a catalogue with each other and adds the foreign keys that are not declared. */
export function buildModel(catalogue: Catalogue): Model {
  const foreignKeyColumns = new Set(
    catalogue.foreignKeys.flatMap((key) => key.columns.map((column) => `${key.schema}.${key.table}.${column}`)),
  )
  const sharedKeyNames = listDistinctiveKeyNames(catalogue)
  const tables = catalogue.tables.map((table): Table => {
    const key = `${table.schema}.${table.name}`
    const modelTable: { -readonly [K in keyof Table]: Table[K] } = { ...table, key, columns: [] }
    modelTable.columns = table.columns.map((column) => ({
      ...column,
      ...inferValueKind(column, table.rows),
      table: modelTable,
      key: `${key}.${column.name}`,
      isIdentifier:
        isKeyName(column.name) ||
        (column.kind === 'integer' && /[a-z]_by$/i.test(column.name)) ||
        foreignKeyColumns.has(`${key}.${column.name}`) ||
        sharedKeyNames.has(column.name) ||
        (table.primaryKey.length === 1 && table.primaryKey[0] === column.name),
    }))
    return modelTable
  })
  const declaredForeignKeys = catalogue.foreignKeys.flatMap((key) => {
    const from = tables.find((table) => table.schema === key.schema && table.name === key.table)
    const to = tables.find((table) => table.schema === key.otherSchema && table.name === key.otherTable)
    if (!from || !to) return []
    const fromColumns = key.columns.flatMap((name) => findColumn(from, name) ?? [])
    const toColumns = key.otherColumns.flatMap((name) => findColumn(to, name) ?? [])
    return fromColumns.length === key.columns.length && toColumns.length === fromColumns.length
      ? [{ from, fromColumns, to, toColumns }]
      : []
  })
  const foreignKeys = [...declaredForeignKeys, ...inferForeignKeys(tables, declaredForeignKeys)]
  return { tables, foreignKeys, tableRoles: listTableRoles(foreignKeys) }
}

/** Columns named like another table's key reference it; `id` and `name` are excluded, being everywhere. */
const listDistinctiveKeyNames = ({ tables }: Catalogue): Set<string> =>
  new Set(
    tables
      .flatMap(({ primaryKey: [keyColumn, secondColumn] }) =>
        keyColumn === undefined || secondColumn !== undefined ? [] : [keyColumn],
      )
      .filter((name) => !/^(?:id|name|code)$/i.test(name)),
  )

/** Infers foreign keys that are not declared: `customer_id` references `customers`. */
function inferForeignKeys(
  tables: readonly Table[],
  declaredForeignKeys: readonly ModelForeignKey[],
): ModelForeignKey[] {
  const declaredColumns = new Set(
    declaredForeignKeys.flatMap((foreignKey) => foreignKey.fromColumns.map((column) => column.key)),
  )
  const inferredForeignKeys: ModelForeignKey[] = []
  for (const from of tables) {
    for (const column of from.columns) {
      if (declaredColumns.has(column.key) || (from.primaryKey.length === 1 && from.primaryKey[0] === column.name))
        continue
      const to = tables.find((other) => other !== from && isForeignKeyTo(column, other))
      const [keyColumn] = to?.primaryKey ?? []
      const target = to && keyColumn !== undefined ? findColumn(to, keyColumn) : undefined
      if (to && target) inferredForeignKeys.push({ from, fromColumns: [column], to, toColumns: [target] })
    }
  }
  return inferredForeignKeys
}

/** `customer_id`, `home_team_id` and `customer_code` reference the table with that key or name. */
function isForeignKeyTo(column: Column, table: Table): boolean {
  const [keyColumn, secondKeyColumn] = table.primaryKey
  const target = keyColumn === undefined || secondKeyColumn !== undefined ? undefined : findColumn(table, keyColumn)
  if (!target || target.kind !== column.kind) return false
  const keyName = target.name.toLowerCase()
  const columnName = column.name.toLowerCase()
  if (columnName === keyName) return keyName !== 'id' && keyName !== 'name' && keyName !== 'code'
  // `home_team_id` and `away_team_id` both end in `team_id`.
  if (keyName.includes('_') && columnName.endsWith(`_${keyName}`)) return true
  const tableStems = toStems(expandNameParts(splitName(table.name))).join(' ')
  const columnStems = toStems(expandNameParts(splitName(column.name)))
  const lastStem = columnStems.at(-1) ?? ''
  return ['id', 'key', 'code', 'number', 'uuid'].includes(lastStem) && columnStems.slice(0, -1).join(' ') === tableStems
}
