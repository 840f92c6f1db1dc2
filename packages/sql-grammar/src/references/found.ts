import type { FindTable, TableName } from '../table-finder.ts'

export interface TableReference extends TableName {
  readonly isRead: boolean
  readonly isWritten: boolean
  readonly isDefined: boolean
  readonly columns: readonly string[]
  /** Unqualified names that belong to this table or to another in the same query. */
  readonly possibleColumns: readonly string[]
  /** `select *`, a whole-row reference, a natural join. */
  readonly readsAllColumns: boolean
  readonly writtenColumns: readonly string[]
  readonly writesAllColumns: boolean
  readonly positions: readonly number[]
}

export interface FunctionReference {
  readonly schema: string | null
  readonly name: string
  readonly position: number
}

export interface TableUse {
  readonly schema: string | null
  readonly name: string
  readonly known: readonly string[] | undefined
  readonly columns: Set<string>
  readonly possibleColumns: Set<string>
  readonly writtenColumns: Set<string>
  readonly positions: Set<number>
  isRead: boolean
  isWritten: boolean
  isDefined: boolean
  readsAllColumns: boolean
  writesAllColumns: boolean
}

export interface FoundReferences {
  readonly tables: Map<string, TableUse>
  readonly functions: FunctionReference[]
  readonly findTable: FindTable | undefined
  readonly toOffset: (location: number | undefined) => number
  isOpaque: boolean
}

export interface NamedRelation {
  readonly schemaname?: string
  readonly relname?: string
  readonly location?: number
}

export function recordTableUse(
  references: FoundReferences,
  { schemaname, relname = '', location }: NamedRelation,
): TableUse {
  const asked = { schema: schemaname ?? null, name: relname }
  const table = references.findTable?.(asked)
  const { schema, name } = table ?? asked
  const key = JSON.stringify([schema, name])
  let use = references.tables.get(key)
  if (!use) {
    use = {
      schema,
      name,
      known: table?.columns,
      columns: new Set(),
      possibleColumns: new Set(),
      writtenColumns: new Set(),
      positions: new Set(),
      isRead: false,
      isWritten: false,
      isDefined: false,
      readsAllColumns: false,
      writesAllColumns: false,
    }
    references.tables.set(key, use)
  }
  if (location !== undefined) use.positions.add(references.toOffset(location))
  return use
}

export const toReference = (use: TableUse): TableReference => ({
  schema: use.schema,
  name: use.name,
  isRead: use.isRead,
  isWritten: use.isWritten,
  isDefined: use.isDefined,
  columns: [...use.columns],
  possibleColumns: [...use.possibleColumns].filter((column) => !use.columns.has(column)),
  readsAllColumns: use.readsAllColumns,
  writtenColumns: [...use.writtenColumns],
  writesAllColumns: use.writesAllColumns,
  positions: [...use.positions].toSorted((a, b) => a - b),
})
