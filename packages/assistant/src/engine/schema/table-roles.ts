import { isStopWord } from '../read/stop-words.ts'
import type { Column, ModelForeignKey, Table, TableRole } from './model.ts'
import { expandNameParts, isGenericPart, splitName, toStems } from './names.ts'

/** Joins onwards from a role: the region of the shipping address is one. */
const MAX_JOINS_AFTER_ROLE = 2

/** A table that another references twice gets a role per foreign key: origin and destination airport. */
export function listTableRoles(foreignKeys: readonly ModelForeignKey[]): TableRole[] {
  return foreignKeys.flatMap((foreignKey) => {
    const parallelForeignKeys = foreignKeys.filter(({ from, to }) => from === foreignKey.from && to === foreignKey.to)
    if (parallelForeignKeys.length < 2) return []
    const partsOfOthers = new Set(
      parallelForeignKeys.filter((other) => other !== foreignKey).flatMap((other) => listRoleNameParts(other)),
    )
    const roleNameParts = listRoleNameParts(foreignKey).filter((part) => !partsOfOthers.has(part))
    return roleNameParts.length === 0 ? [] : createRoles(foreignKey, { roleNameParts, foreignKeys })
  })
}

/** `origin_airport_id` → origin */
function listRoleNameParts({ fromColumns, to }: ModelForeignKey): string[] {
  const tableStems = new Set(toStems(expandNameParts(splitName(to.name))))
  const nameParts = fromColumns.flatMap(({ name }) => expandNameParts(splitName(name)))
  return nameParts.filter((part) => !isGenericPart(part) && !toStems([part]).some((stem) => tableStems.has(stem)))
}

/** Copies the referenced table, and those behind it, under the role's name. */
function createRoles(
  foreignKey: ModelForeignKey,
  { roleNameParts, foreignKeys }: { roleNameParts: readonly string[]; foreignKeys: readonly ModelForeignKey[] },
): TableRole[] {
  const suffix = `@${foreignKey.fromColumns.map(({ name }) => name).join()}`
  const followingForeignKeys = listForeignKeysAfter(foreignKey, foreignKeys)
  const tables = [...new Set([foreignKey.to, ...followingForeignKeys.map(({ to }) => to)])]
  const copies = new Map(tables.map((table) => [table, copyTable(table, { name: roleNameParts.join(' '), suffix })]))
  const toCopy = (table: Table) => copies.get(table) ?? table
  const toColumnOfCopy = (column: Column) =>
    toCopy(column.table).columns[column.table.columns.indexOf(column)] ?? column
  const foreignKeysOfCopies = [
    { ...foreignKey, to: toCopy(foreignKey.to), toColumns: foreignKey.toColumns.map(toColumnOfCopy) },
    ...followingForeignKeys.map(({ from, fromColumns, to, toColumns }) => ({
      from: toCopy(from),
      fromColumns: fromColumns.map(toColumnOfCopy),
      to: toCopy(to),
      toColumns: toColumns.map(toColumnOfCopy),
    })),
  ]
  const contentParts = roleNameParts.filter((part) => !isStopWord(part))
  const words = toStems(contentParts.length > 0 ? contentParts : roleNameParts)
  return tables.map((table) => ({
    originalTable: table,
    aliasTable: toCopy(table),
    foreignKeys: foreignKeysOfCopies,
    words,
  }))
}

/** The foreign keys that lead on from the referenced table, up to two joins. */
function listForeignKeysAfter(foreignKey: ModelForeignKey, foreignKeys: readonly ModelForeignKey[]): ModelForeignKey[] {
  const followingForeignKeys: ModelForeignKey[] = []
  let tablesOfLevel = [foreignKey.to]
  for (let length = 0; length < MAX_JOINS_AFTER_ROLE; length += 1) {
    const visitedTables = new Set([foreignKey.from, foreignKey.to, ...followingForeignKeys.map(({ to }) => to)])
    const nextForeignKeys = foreignKeys.filter(({ from, to }) => tablesOfLevel.includes(from) && !visitedTables.has(to))
    followingForeignKeys.push(...nextForeignKeys)
    tablesOfLevel = nextForeignKeys.map(({ to }) => to)
  }
  return followingForeignKeys
}

function copyTable(originalTable: Table, { name, suffix }: { name: string; suffix: string }): Table {
  const key = `${originalTable.key}${suffix}`
  const table: { -readonly [K in keyof Table]: Table[K] } = {
    ...originalTable,
    key,
    columns: [],
    role: { name, originalTable },
  }
  table.columns = originalTable.columns.map((column) => ({ ...column, table, key: `${key}.${column.name}` }))
  return table
}
