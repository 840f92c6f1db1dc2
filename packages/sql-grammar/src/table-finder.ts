/** A null schema is resolved by the search path. */
export interface TableName {
  readonly schema: string | null
  readonly name: string
}

interface FoundTable {
  readonly schema: string
  readonly name: string
  readonly columns: readonly string[]
}

export type FindTable = (name: TableName) => FoundTable | undefined

export interface TableList {
  readonly tables: readonly FoundTable[]
  readonly searchPath: readonly string[]
}

export function createTableFinder({ tables, searchPath }: TableList): FindTable {
  const byName = new Map(tables.map((table) => [JSON.stringify([table.schema, table.name]), table]))
  const find = (schema: string, name: string) => byName.get(JSON.stringify([schema, name]))
  return ({ schema, name }) => {
    if (schema !== null) return find(schema, name)
    for (const item of searchPath) {
      const table = find(item, name)
      if (table) return table
    }
    return undefined
  }
}
