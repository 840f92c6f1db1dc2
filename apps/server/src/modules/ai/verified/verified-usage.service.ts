import { withoutValues } from '@trellis/assistant/verified/parameters'
import { listReferences } from '@trellis/sql-grammar/list-references'
import { parseSql } from '@trellis/sql-grammar/parse'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { findTablesOfProjects, findVerifiedQueries } from './verified.repository.ts'

interface UsedTable {
  readonly schema: string
  readonly name: string
}

interface VerifiedReader {
  readonly name: string
  readonly projectName: string
  readonly reads: readonly UsedTable[]
}

/** Where names without a schema are looked for when a question is answered. */
const SEARCH_PATH = 'data'

interface TablesPlace {
  readonly integrationCode: string
  readonly tables: readonly UsedTable[]
  readonly wholeSchema?: string | undefined
}

/** AI projects that answer from one of the tables. */
export async function listProjectsReading(ctx: WorkspaceCtx, place: TablesPlace) {
  const wanted = new Set(place.tables.map(toKey))
  const rows = (await findTablesOfProjects(ctx, place.integrationCode)).filter(
    ({ schema_name, table_name }) =>
      wanted.has(toKey({ schema: schema_name, name: table_name })) || schema_name === place.wholeSchema,
  )
  return [...Map.groupBy(rows, ({ project_name }) => project_name)].map(([name, tables]) => ({
    name,
    reads: tables.map(({ table_name }) => table_name),
  }))
}

/** Verified questions whose query reads one of the tables, or any table of `wholeSchema`. */
export async function listVerifiedReading(ctx: WorkspaceCtx, place: TablesPlace): Promise<VerifiedReader[]> {
  const wanted = new Set(place.tables.map(toKey))
  const readers: VerifiedReader[] = []
  for (const { name, project_name, sql } of await findVerifiedQueries(ctx, place.integrationCode)) {
    const { statements } = await parseSql(withoutValues(sql))
    const tables = statements
      .flatMap((statement) => listReferences(statement).tables)
      .map(({ schema, name: table }) => ({ schema: schema ?? SEARCH_PATH, name: table }))
      .filter((table) => wanted.has(toKey(table)) || table.schema === place.wholeSchema)
    const reads = [...new Map(tables.map((table) => [toKey(table), table])).values()]
    if (reads.length > 0) readers.push({ name, projectName: project_name, reads })
  }
  return readers
}

const toKey = ({ schema, name }: UsedTable) => JSON.stringify([schema, name])
