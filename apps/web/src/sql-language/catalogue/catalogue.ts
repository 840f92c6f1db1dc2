import type {
  CatalogueForeignKey,
  CatalogueFunction,
  CataloguePage,
  CatalogueTable,
} from '@trellis/contract/explorer/catalogue.endpoints'

export interface Column {
  readonly name: string
  readonly type: string | null
  readonly comment: string | null
}

export interface Table {
  readonly schema: string
  readonly name: string
  readonly lowerName: string
  readonly kind: CatalogueTable['kind']
  readonly comment: string | null
  readonly source: CatalogueTable
}

export interface Catalogue {
  readonly searchPath: readonly string[]
  readonly schemas: readonly string[]
  readonly tables: readonly Table[]
  readonly functions: readonly CatalogueFunction[]
  readonly functionNames: readonly { readonly name: string; readonly first: CatalogueFunction }[]
  findTable(schema: string | null, name: string): Table | undefined
  findFunctions(name: string): readonly CatalogueFunction[]
  listForeignKeys(table: Table): readonly CatalogueForeignKey[]
}

const toKey = (schema: string, name: string): string => `${schema}\n${name}`

export type CatalogueContent = Pick<CataloguePage, 'search_path' | 'schemas' | 'tables' | 'foreign_keys' | 'functions'>

export function createCatalogue(content: CatalogueContent): Catalogue {
  const { search_path: searchPath, schemas, functions } = content
  const rank = new Map(searchPath.map((schema, at) => [schema, at]))
  const tables = content.tables
    .map((source): Table => ({
      schema: source.schema,
      name: source.name,
      lowerName: source.name.toLowerCase(),
      kind: source.kind,
      comment: source.comment,
      source,
    }))
    .toSorted(
      (a, b) =>
        (rank.get(a.schema) ?? rank.size) - (rank.get(b.schema) ?? rank.size) ||
        compare(a.name, b.name) ||
        compare(a.schema, b.schema),
    )
  const byName = new Map(tables.map((table) => [toKey(table.schema, table.name), table]))
  const keys = new Map<string, CatalogueForeignKey[]>()
  const addKey = (schema: string, table: string, key: CatalogueForeignKey) => {
    const name = toKey(schema, table)
    const known = keys.get(name)
    if (known) known.push(key)
    else keys.set(name, [key])
  }
  for (const key of content.foreign_keys) {
    addKey(key.schema, key.table, key)
    if (key.schema !== key.foreign_schema || key.table !== key.foreign_table)
      addKey(key.foreign_schema, key.foreign_table, key)
  }
  const functionsByName = groupByName(functions)
  return {
    searchPath,
    schemas,
    tables,
    functions,
    functionNames: [...functionsByName].flatMap(([name, [first]]) => (first ? [{ name, first }] : [])),
    findTable(schema, name) {
      if (schema !== null) return byName.get(toKey(schema, name))
      for (const item of searchPath) {
        const table = byName.get(toKey(item, name))
        if (table) return table
      }
      return undefined
    },
    findFunctions: (name) => functionsByName.get(name) ?? [],
    listForeignKeys: ({ schema, name }) => keys.get(toKey(schema, name)) ?? [],
  }
}

export const EMPTY_CATALOGUE: Catalogue = createCatalogue({
  search_path: [],
  schemas: [],
  tables: [],
  foreign_keys: [],
  functions: [],
})

/** Column objects are created lazily: a catalogue may have 20,000 tables. */
export function listColumns({ source }: Table): Column[] {
  return source.columns.map((name, at) => ({
    name,
    type: source.types[at] ?? null,
    comment: source.column_comments[name] ?? null,
  }))
}

function groupByName(functions: readonly CatalogueFunction[]): Map<string, CatalogueFunction[]> {
  const groups = new Map<string, CatalogueFunction[]>()
  for (const item of functions) {
    const known = groups.get(item.name)
    if (known) known.push(item)
    else groups.set(item.name, [item])
  }
  return groups
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
