import type { Database, TableLine } from '@trellis/contract/explorer/explorer.schemas'
import type { TableAddress } from '../explorer-paths.ts'

interface Base {
  key: string
  level: 1 | 2 | 3
  label: string
}
export type TreeRow = Base &
  (
    | { kind: 'database'; address: Pick<TableAddress, 'database'>; isOpen: boolean; database: Database }
    | { kind: 'schema'; address: Omit<TableAddress, 'table'>; isOpen: boolean }
    | { kind: 'table'; address: TableAddress; table: TableLine }
    /** Loads the next page of its schema when visible. */
    | { kind: 'more'; of: string }
    | { kind: 'note'; isError: boolean; of: string }
  )

export interface Branch<T> {
  items: readonly T[]
  isLoading: boolean
  hasMore: boolean
  problem: string | null
}

interface Tree {
  databases: readonly Database[]
  isOpen: (key: string) => boolean
  getSchemas: (database: string) => Branch<string>
  getTables: (database: string, schema: string) => Branch<TableLine>
}

export const nodeKey = (...names: string[]): string => JSON.stringify(names)

export function treeRows({ databases, isOpen, getSchemas, getTables }: Tree): TreeRow[] {
  return databases.flatMap((database): TreeRow[] => {
    const code = database.integration_trellis_code
    const key = nodeKey(code)
    const head: TreeRow = {
      kind: 'database',
      key,
      level: 1,
      label: database.name,
      address: { database: code },
      isOpen: isOpen(key),
      database,
    }
    return isOpen(key) ? [head, ...schemaRows(code, { schemas: getSchemas(code), isOpen, getTables })] : [head]
  })
}

function schemaRows(
  database: string,
  { schemas, isOpen, getTables }: { schemas: Branch<string> } & Pick<Tree, 'isOpen' | 'getTables'>,
): TreeRow[] {
  const rows = schemas.items.flatMap((schema): TreeRow[] => {
    const key = nodeKey(database, schema)
    const head: TreeRow = {
      kind: 'schema',
      key,
      level: 2,
      label: schema,
      address: { database, schema },
      isOpen: isOpen(key),
    }
    return isOpen(key) ? [head, ...tableRows({ database, schema }, getTables(database, schema))] : [head]
  })
  return [...rows, ...createNoteRows(nodeKey(database), 2, { branch: schemas, none: 'No schemas' })]
}

function tableRows({ database, schema }: Omit<TableAddress, 'table'>, tables: Branch<TableLine>): TreeRow[] {
  const of = nodeKey(database, schema)
  const rows = tables.items.map((table): TreeRow => ({
    kind: 'table',
    key: nodeKey(database, schema, table.name),
    level: 3,
    label: table.name,
    address: { database, schema, table: table.name },
    table,
  }))
  if (tables.hasMore && tables.problem === null)
    rows.push({ kind: 'more', key: `${of} more`, level: 3, label: 'Loading more tables', of })
  return [...rows, ...createNoteRows(of, 3, { branch: tables, none: 'No tables yet' })]
}

function createNoteRows(
  of: string,
  level: 2 | 3,
  { branch, none }: { branch: Branch<unknown>; none: string },
): TreeRow[] {
  const note = (label: string, isError = false): TreeRow[] => [
    { kind: 'note', key: `${of} note`, level, label, isError, of },
  ]
  if (branch.problem !== null) return note(`${branch.problem} Press Enter to try again.`, true)
  if (branch.isLoading && branch.items.length === 0) return note('Loading')
  return branch.items.length === 0 ? note(none) : []
}

/** As in file managers: Left collapses or goes to the parent, Right expands. */
export function treeStep(
  rows: readonly TreeRow[],
  index: number,
  key: string,
): { to: number } | { toggle: number } | null {
  const row = rows[index]
  const last = rows.length - 1
  switch (key) {
    case 'ArrowDown':
      return { to: Math.min(last, index + 1) }
    case 'ArrowUp':
      return { to: Math.max(0, index - 1) }
    case 'Home':
      return { to: 0 }
    case 'End':
      return { to: last }
    case 'PageDown':
      return { to: Math.min(last, index + 15) }
    case 'PageUp':
      return { to: Math.max(0, index - 15) }
    case 'ArrowRight':
      if (!row || !('isOpen' in row)) return null
      return row.isOpen ? { to: Math.min(last, index + 1) } : { toggle: index }
    case 'ArrowLeft': {
      if (!row) return null
      if ('isOpen' in row && row.isOpen) return { toggle: index }
      const parent = rows.slice(0, index).findLastIndex((other) => other.level < row.level)
      return parent < 0 ? null : { to: parent }
    }
    default:
      return null
  }
}

/** Type-ahead; a repeated letter goes to the next match. */
export function findTyped(rows: readonly TreeRow[], position: number, typedText: string): number | undefined {
  const searchTerm = typedText.toLowerCase()
  const from = searchTerm.length > 1 ? position : position + 1
  for (let step = 0; step < rows.length; step += 1) {
    const index = (from + step) % rows.length
    const row = rows[index]
    if (row && row.kind !== 'note' && row.kind !== 'more' && row.label.toLowerCase().startsWith(searchTerm))
      return index
  }
  return undefined
}
