import { replaceParametersByNull } from '@trellis/assistant/verified/parameters'
import { listReferences } from '@trellis/sql-grammar/list-references'
import { parseSql } from '@trellis/sql-grammar/parse'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { readColumnNames } from '../../explorer/table-names.service.ts'
import { readMetric } from '../metrics/read-metrics.ts'
import { findContextQueries, findTablesOfProjects } from './verified.repository.ts'

interface UsedTable {
  readonly schema: string
  readonly name: string
}

interface ContextReader {
  readonly name: string
  readonly projectName: string
  readonly reads: readonly UsedTable[]
}

const SEARCH_PATH = 'data'

interface TablesScope {
  readonly integrationCode: string
  readonly tables: readonly UsedTable[]
  readonly wholeSchema?: string | undefined
}

export async function listProjectsReading(ctx: WorkspaceCtx, scope: TablesScope) {
  const wanted = new Set(scope.tables.map(toKey))
  const rows = (await findTablesOfProjects(ctx, scope.integrationCode)).filter(
    ({ schema_name, table_name }) =>
      wanted.has(toKey({ schema: schema_name, name: table_name })) || schema_name === scope.wholeSchema,
  )
  return [...Map.groupBy(rows, ({ project_name }) => project_name)].map(([name, tables]) => ({
    name,
    reads: tables.map(({ table_name }) => table_name),
  }))
}

export async function listVerifiedReading(ctx: WorkspaceCtx, scope: TablesScope): Promise<ContextReader[]> {
  const wanted = new Set(scope.tables.map(toKey))
  const readers: ContextReader[] = []
  for (const { name, project_name, sql } of await findContextQueries(ctx, scope.integrationCode, 'verified_question')) {
    const { statements } = await parseSql(replaceParametersByNull(sql))
    const tables = statements
      .flatMap((statement) => listReferences(statement).tables)
      .map(({ schema, name: table }) => ({ schema: schema ?? SEARCH_PATH, name: table }))
      .filter((table) => wanted.has(toKey(table)) || table.schema === scope.wholeSchema)
    const reads = [...new Map(tables.map((table) => [toKey(table), table])).values()]
    if (reads.length > 0) readers.push({ name, projectName: project_name, reads })
  }
  return readers
}

/** By named tables, else by columns that only these tables have. */
export async function listMetricsReading(ctx: WorkspaceCtx, scope: TablesScope): Promise<ContextReader[]> {
  const metrics = await findContextQueries(ctx, scope.integrationCode, 'metric')
  if (metrics.length === 0) return []
  const ofProjects = (await findTablesOfProjects(ctx, scope.integrationCode)).map((row) => ({
    project: row.project_name,
    schema: row.schema_name,
    name: row.table_name,
  }))
  const columns = await readColumnNames(ctx, scope.integrationCode, ofProjects)
  const wanted = new Set(scope.tables.map(toKey))
  const readers: ContextReader[] = []
  for (const { name, project_name, sql } of metrics) {
    const { pieces } = await readMetric({ code: '', name, sql, problem: null })
    const paths = pieces.filter((piece) => typeof piece !== 'string')
    const reads = ofProjects.filter(
      (table) =>
        table.project === project_name &&
        (wanted.has(toKey(table)) || table.schema === scope.wholeSchema) &&
        paths.some((path) => namesColumn(path, table, columns.get(toKey(table)))),
    )
    if (reads.length > 0) readers.push({ name, projectName: project_name, reads })
  }
  return readers
}

function namesColumn(path: readonly string[], table: UsedTable, columns: ReadonlySet<string> = new Set()): boolean {
  const [column = '', name, schema] = path.toReversed()
  if (name === undefined) return columns.has(column)
  return name === table.name && (schema === undefined || schema === table.schema)
}

const toKey = ({ schema, name }: UsedTable) => JSON.stringify([schema, name])
