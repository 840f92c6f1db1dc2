import { WorkspaceDbError } from '../errors.ts'
import type { Session } from '../session.ts'
import { readObjects } from './plain-session.ts'
import type { Names, TableName } from './read-names.ts'
import type { TableKind } from './visible.ts'

interface TableLine extends TableName {
  readonly rowsEstimate: number | null
  readonly sizeBytes: number
  readonly description: string | null
}

export interface TablePage {
  readonly schema: string
  readonly search?: string | undefined
  readonly after?: string | undefined
  readonly limit: number
  readonly only?: ReadonlySet<string> | undefined
}

export interface TableLines {
  readonly items: readonly TableLine[]
  readonly nextAfter: string | null
}

export async function listTables(session: Session, names: Names, page: TablePage): Promise<TableLines> {
  const lowerSearch = page.search?.trim().toLowerCase() ?? ''
  const tableNames: TableName[] = []
  for (const table of names.tables) {
    if (table.schema !== page.schema || (page.after !== undefined && table.name <= page.after)) continue
    if (lowerSearch !== '' && !table.name.toLowerCase().includes(lowerSearch)) continue
    if (page.only && !page.only.has(table.name)) continue
    tableNames.push(table)
    if (tableNames.length > page.limit) break
  }
  const items = await readTableLines(session, tableNames.slice(0, page.limit))
  return { items, nextAfter: tableNames.length > page.limit ? (tableNames[page.limit - 1]?.name ?? null) : null }
}

interface TableFacts {
  readonly oid: number
  readonly rows: number
  readonly size: number | null
  readonly description: string | null
}

const MEASURED_SIZE = 'coalesce(pg_total_relation_size(c.oid), 0)'
/** pg_table_size would wait for a lock, e.g. while a table is rebuilt. */
const ESTIMATED_SIZE = "c.relpages::bigint * current_setting('block_size')::bigint"

/** A partitioned table is empty itself. */
export const buildSize = (ownSize: string) =>
  `case when c.relkind = 'p'
        then (select coalesce(sum(pg_total_relation_size(t.relid)), 0) from pg_partition_tree(c.oid) t)
        else ${ownSize} end`

async function readTableLines(session: Session, tables: readonly TableName[]): Promise<TableLine[]> {
  if (tables.length === 0) return []
  const readFacts = (size: string) =>
    readObjects<TableFacts>(
      session,
      `select c.oid::bigint as oid, c.reltuples::bigint as rows, ${size} as size,
              obj_description(c.oid, 'pg_class') as description
         from pg_class c where c.oid = any(string_to_array($1, ',')::oid[])`,
      [tables.map((table) => table.oid).join(',')],
    )
  const facts = await readFacts(buildSize(MEASURED_SIZE)).catch((error: unknown) => {
    if (error instanceof WorkspaceDbError && error.code === 'locked') return readFacts(ESTIMATED_SIZE)
    throw error
  })
  const byOid = new Map(facts.map((fact) => [fact.oid, fact]))
  return tables.map((table) => {
    const fact = byOid.get(table.oid)
    return {
      ...table,
      rowsEstimate: toRowEstimate(table.kind, fact?.rows ?? -1),
      sizeBytes: fact?.size ?? 0,
      description: fact?.description ?? null,
    }
  })
}

/** Negative before the first ANALYZE. */
export function toRowEstimate(kind: TableKind, rows: number): number | null {
  return kind === 'view' || rows < 0 ? null : rows
}
