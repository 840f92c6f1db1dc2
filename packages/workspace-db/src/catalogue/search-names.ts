import type { Session } from '../session.ts'
import { readObjects } from './plain-session.ts'
import type { Names, TableName } from './read-names.ts'
import { type KindLetter, TABLE_KINDS, TABLE_LETTERS, type TableKind, buildVisibleSchemaCondition } from './visible.ts'

export interface NameHit {
  readonly schema: string
  readonly table: string
  readonly kind: TableKind
  readonly column: string | null
}

export async function searchNames(
  session: Session,
  names: Names,
  { search, limit }: { search: string; limit: number },
): Promise<NameHit[]> {
  const lowerSearch = search.toLowerCase()
  const tablesByRank: TableName[][] = [[], [], []]
  for (const table of names.tables) {
    const position = `${table.schema}.${table.name}`.toLowerCase().indexOf(lowerSearch)
    if (position < 0) continue
    const name = table.name.toLowerCase()
    const rank = name === lowerSearch ? 0 : name.startsWith(lowerSearch) ? 1 : 2
    tablesByRank[rank]?.push(table)
  }
  const tables = tablesByRank.flat().slice(0, limit)
  const hits = tables.map(({ schema, name, kind }): NameHit => ({ schema, table: name, kind, column: null }))
  return hits.length < limit ? [...hits, ...(await searchColumns(session, lowerSearch, limit - hits.length))] : hits
}

async function searchColumns(session: Session, lowerSearch: string, limit: number): Promise<NameHit[]> {
  const rows = await readObjects<{ schema: string; table: string; kind: KindLetter; column: string }>(
    session,
    `select n.nspname as schema, c.relname as table, c.relkind as kind, a.attname as column
       from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
      where a.attnum > 0 and not a.attisdropped and c.relkind in ${TABLE_LETTERS} and ${buildVisibleSchemaCondition(session, 'n')}
        and strpos(lower(a.attname), $1) > 0
      limit $2::int`,
    [lowerSearch, String(limit)],
  )
  return rows.map((row) => ({ ...row, kind: TABLE_KINDS[row.kind] }))
}
