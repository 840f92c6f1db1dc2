import { listReferences } from '@trellis/sql-grammar/list-references'
import { parseSql } from '@trellis/sql-grammar/parse'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import type { Settings } from '@trellis/contract/dataflows/start-settings'
import { findBlocksWithLive } from './table-users.repository.ts'
import { type TableName, listReadTables, listSqlTexts, listWrittenTables } from './block-tables.ts'

export interface TableUser {
  readonly code: string
  readonly name: string
  readonly dataflowCode: string
  readonly dataflowName: string
  readonly reads: readonly TableName[]
  readonly writes: readonly TableName[]
}

export const SEARCH_PATH = 'data'

/** Or all of `schema`; includes tables not created yet. */
export async function findTableUsers(
  ctx: WorkspaceCtx,
  tables: readonly TableName[],
  schema?: string,
): Promise<TableUser[]> {
  if (tables.length === 0 && schema === undefined) return []
  const requestedKeys = new Set(tables.map(toTableKey))
  const users: TableUser[] = []
  for (const block of await findBlocksWithLive(ctx)) {
    const uses = await Promise.all(
      [block.settings, block.live_settings].flatMap((settings) => (settings ? [findTableUses(settings, tables)] : [])),
    )
    const filterRequested = (names: readonly TableName[]) => {
      const isRequested = (table: TableName) => requestedKeys.has(toTableKey(table)) || table.schema_name === schema
      return [...new Map(names.filter(isRequested).map((table) => [toTableKey(table), table])).values()]
    }
    const reads = filterRequested(uses.flatMap((use) => use.reads))
    const writes = filterRequested(uses.flatMap((use) => use.writes))
    if (reads.length === 0 && writes.length === 0) continue
    const { code, name: pattern, dataflow_code, dataflow_name } = block
    users.push({ code, name: pattern, dataflowCode: dataflow_code, dataflowName: dataflow_name, reads, writes })
  }
  return users
}

const toTableKey = ({ schema_name, table_name }: TableName) => JSON.stringify([schema_name, table_name])

interface TableUses {
  readonly reads: readonly TableName[]
  readonly writes: readonly TableName[]
}

async function findTableUses(settings: Settings, tables: readonly TableName[]): Promise<TableUses> {
  const reads = listReadTables(settings)
  const writes = listWrittenTables(settings)
  for (const sql of listSqlTexts(settings)) {
    const namedUses = await findCachedUses(sql)
    reads.push(...(namedUses?.reads ?? tables.filter((table) => mentionsTable(sql, table))))
    writes.push(...(namedUses?.writes ?? []))
  }
  return { reads, writes }
}

const MAX_CACHED_TEXTS = 500
const usesBySql = new Map<string, Promise<TableUses | undefined>>()

/** Undefined for unparseable SQL or code in strings: callers then search for words. */
function findCachedUses(sql: string): Promise<TableUses | undefined> {
  const cachedUses = usesBySql.get(sql)
  if (cachedUses) return cachedUses
  const [oldest] = usesBySql.keys()
  if (usesBySql.size >= MAX_CACHED_TEXTS && oldest !== undefined) usesBySql.delete(oldest)
  const reading = parseUses(sql)
  usesBySql.set(sql, reading)
  return reading
}

async function parseUses(sql: string): Promise<TableUses | undefined> {
  const { statements, errors } = await parseSql(sql)
  const references = statements.map((statement) => listReferences(statement))
  if (errors.length > 0 || references.some(({ isOpaque }) => isOpaque)) return undefined
  const tables = references.flatMap((reference) => reference.tables)
  const toName = ({ schema, name: pattern }: { schema: string | null; name: string }): TableName => ({
    schema_name: schema ?? SEARCH_PATH,
    table_name: pattern,
  })
  return {
    reads: tables.filter(({ isRead }) => isRead).map(toName),
    writes: tables.filter(({ isWritten, isDefined }) => isWritten || isDefined).map(toName),
  }
}

/** As a whole word: false positives are preferred. */
export const mentionsTable = (sql: string, { table_name }: TableName): boolean => hasWord(sql, table_name)

export function hasWord(sql: string, word: string): boolean {
  const pattern = word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(String.raw`(?<![\p{L}\p{N}_$])${pattern}(?![\p{L}\p{N}_$])`, 'iu').test(sql)
}
