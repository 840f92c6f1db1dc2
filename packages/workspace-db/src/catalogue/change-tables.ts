import type { Session } from '../session.ts'
import { KIND_KEYWORDS } from './describe.ts'
import type { CatalogueSchema, CatalogueTable } from './find-table.ts'

interface NewColumn {
  readonly name: string
  /** From a fixed list, so it needs no quoting. */
  readonly type: string
  readonly isNullable: boolean
  readonly isPrimaryKey: boolean
}

export interface NewTable {
  readonly schema: CatalogueSchema
  readonly name: string
  readonly columns: readonly NewColumn[]
}

async function quoteNames(session: Session, names: readonly string[]): Promise<string[]> {
  const { rows } = await session.query({
    text: 'select quote_ident(name) from json_array_elements_text($1::json) with ordinality n(name, place) order by place',
    values: [JSON.stringify(names)],
  })
  return rows.map((row) => row[0] ?? '""')
}

export async function createTable(session: Session, { schema, name, columns }: NewTable): Promise<void> {
  const [table, ...quotedColumns] = await quoteNames(session, [name, ...columns.map((column) => column.name)])
  const keyColumns = quotedColumns.filter((_, index) => columns[index]?.isPrimaryKey)
  const definitions = columns.map(
    ({ type, isNullable }, index) => `${quotedColumns[index]} ${type}${isNullable ? '' : ' not null'}`,
  )
  if (keyColumns.length > 0) definitions.push(`primary key (${keyColumns.join(', ')})`)
  await session.query({ text: `create table ${schema.quoted}.${table} (${definitions.join(', ')})` })
}

export async function renameTable(session: Session, table: CatalogueTable, name: string): Promise<void> {
  const [quotedName] = await quoteNames(session, [name])
  await session.query({ text: `alter ${KIND_KEYWORDS[table.kind]} ${table.quoted} rename to ${quotedName}` })
}
