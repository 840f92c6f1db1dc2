import type { Catalogue } from './catalogue.ts'
import { type Column, type Link, type Model, type Table, findColumn } from './model.ts'
import { expandParts, splitName, toStems } from './names.ts'
import { findStoredKind } from './stored-kinds.ts'
import { listTableRoles } from './table-roles.ts'

const isKeyName = (name: string) => /(^|_)(id|key|uuid|guid|pk|fk)$|Id$|ID$/.test(name)

export function buildModel(catalogue: Catalogue): Model {
  const referring = new Set(
    catalogue.foreignKeys.flatMap((key) => key.columns.map((column) => `${key.schema}.${key.table}.${column}`)),
  )
  const keys = listKeyNames(catalogue)
  const tables = catalogue.tables.map((table): Table => {
    const key = `${table.schema}.${table.name}`
    const made: { -readonly [K in keyof Table]: Table[K] } = { ...table, key, columns: [] }
    made.columns = table.columns.map((column) => ({
      ...column,
      ...findStoredKind(column, table.rows),
      table: made,
      key: `${key}.${column.name}`,
      isIdentifier:
        isKeyName(column.name) ||
        (column.kind === 'integer' && /[a-z]_by$/i.test(column.name)) ||
        referring.has(`${key}.${column.name}`) ||
        keys.has(column.name) ||
        (table.primaryKey.length === 1 && table.primaryKey[0] === column.name),
    }))
    return made
  })
  const declared = catalogue.foreignKeys.flatMap((key) => {
    const from = tables.find((table) => table.schema === key.schema && table.name === key.table)
    const to = tables.find((table) => table.schema === key.otherSchema && table.name === key.otherTable)
    if (!from || !to) return []
    const fromColumns = key.columns.flatMap((name) => findColumn(from, name) ?? [])
    const toColumns = key.otherColumns.flatMap((name) => findColumn(to, name) ?? [])
    return fromColumns.length === key.columns.length && toColumns.length === fromColumns.length
      ? [{ from, fromColumns, to, toColumns }]
      : []
  })
  const links = [...declared, ...inferLinks(tables, declared)]
  return { tables, links, roles: listTableRoles(links) }
}

/** Columns named like another table's key reference it; `id` and `name` are excluded, being everywhere. */
const listKeyNames = ({ tables }: Catalogue): Set<string> =>
  new Set(
    tables
      .flatMap(({ primaryKey: [key, second] }) => (key === undefined || second !== undefined ? [] : [key]))
      .filter((name) => !/^(?:id|name|code)$/i.test(name)),
  )

/** Infers foreign keys that are not declared: `customer_id` references `customers`. */
function inferLinks(tables: readonly Table[], declared: readonly Link[]): Link[] {
  const known = new Set(declared.flatMap((link) => link.fromColumns.map((column) => column.key)))
  const links: Link[] = []
  for (const from of tables) {
    for (const column of from.columns) {
      if (known.has(column.key) || (from.primaryKey.length === 1 && from.primaryKey[0] === column.name)) continue
      const to = tables.find((other) => other !== from && isForeignKeyTo(column, other))
      const [key] = to?.primaryKey ?? []
      const target = to && key !== undefined ? findColumn(to, key) : undefined
      if (to && target) links.push({ from, fromColumns: [column], to, toColumns: [target] })
    }
  }
  return links
}

function isForeignKeyTo(column: Column, table: Table): boolean {
  const [key, second] = table.primaryKey
  const target = key === undefined || second !== undefined ? undefined : findColumn(table, key)
  if (!target || target.kind !== column.kind) return false
  const key1 = target.name.toLowerCase()
  const name = column.name.toLowerCase()
  if (name === key1) return key1 !== 'id' && key1 !== 'name' && key1 !== 'code'
  // `home_team_id` and `away_team_id` both end in `team_id`.
  if (key1.includes('_') && name.endsWith(`_${key1}`)) return true
  const words = toStems(expandParts(splitName(table.name))).join(' ')
  const ownStems = toStems(expandParts(splitName(column.name)))
  const last = ownStems.at(-1) ?? ''
  return ['id', 'key', 'code', 'number', 'uuid'].includes(last) && ownStems.slice(0, -1).join(' ') === words
}
