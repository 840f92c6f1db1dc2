import type { Session } from '../session.ts'
import { KEYWORDS } from './describe.ts'
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

async function quoteNew(session: Session, names: readonly string[]): Promise<string[]> {
  const { rows } = await session.query({
    text: 'select quote_ident(name) from json_array_elements_text($1::json) with ordinality n(name, place) order by place',
    values: [JSON.stringify(names)],
  })
  return rows.map((row) => row[0] ?? '""')
}

export async function createTable(session: Session, { schema, name, columns }: NewTable): Promise<void> {
  const [table, ...quoted] = await quoteNew(session, [name, ...columns.map((column) => column.name)])
  const keys = quoted.filter((_, index) => columns[index]?.isPrimaryKey)
  const parts = columns.map(({ type, isNullable }, index) => `${quoted[index]} ${type}${isNullable ? '' : ' not null'}`)
  if (keys.length > 0) parts.push(`primary key (${keys.join(', ')})`)
  await session.query({ text: `create table ${schema.quoted}.${table} (${parts.join(', ')})` })
}

export async function renameTable(session: Session, table: CatalogueTable, name: string): Promise<void> {
  const [quoted] = await quoteNew(session, [name])
  await session.query({ text: `alter ${KEYWORDS[table.kind]} ${table.quoted} rename to ${quoted}` })
}
