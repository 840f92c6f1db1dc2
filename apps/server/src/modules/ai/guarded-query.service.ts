import type { QueryAccount } from '@trellis/contract/ai/message-parts.schemas'
import type { ResultColumn } from '@trellis/contract/sql/sql.schemas'
import type { Refusal } from '@trellis/sql-guard/check-query'
import { type DescribedTable, readTables } from '@trellis/workspace-db/catalogue/read-tables'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { toColumnsOfResult } from '../sql/result-columns.service.ts'
import { type ProjectTable, findProjectTables } from '../ai-projects/projects.service.ts'
import { auditQuery } from './tools/audit-query.service.ts'
import { withProjectSession } from './tools/project-session.service.ts'
import { readSources } from './tools/read-sources.ts'
import { runSql, toQueryAccount } from './tools/run-sql.service.ts'

interface BoundQuery {
  readonly sql: string
  readonly values: readonly (string | null)[]
}

interface QueryTarget {
  readonly projectId: number
  readonly integrationCode: string
  readonly signal: AbortSignal
}

interface UsedTable {
  readonly schema: string
  readonly name: string
}

interface ProjectRows {
  readonly account: QueryAccount
  readonly columns: ResultColumn[]
  readonly rows: (string | null)[][]
  readonly isCut: boolean
  readonly tables: { schema_name: string; table_name: string; loaded_at: string | null }[]
}

async function listChosen(ctx: WorkspaceCtx, { projectId, integrationCode }: Omit<QueryTarget, 'signal'>) {
  const all = await findProjectTables(ctx, projectId)
  return all.filter((table) => table.integration_code === integrationCode)
}

const toAddresses = (chosen: readonly ProjectTable[]) =>
  chosen.map(({ schema_name, table_name }) => ({ schema: schema_name, name: table_name }))

/** Throws database errors; returns why the guard refuses. */
export async function runProjectQuery(
  ctx: WorkspaceCtx,
  { projectId, integrationCode, signal }: QueryTarget,
  { sql, values }: BoundQuery,
): Promise<ProjectRows> {
  const chosen = await listChosen(ctx, { projectId, integrationCode })
  const place = { integrationCode, tables: chosen, signal }
  const { account, result, described } = await withProjectSession(ctx, place, async (openedProjectSession) => {
    const describedTables = await readTables(openedProjectSession.session, toAddresses(chosen))
    return {
      ...(await runSql(openedProjectSession, { sql, values, tables: describedTables })),
      described: describedTables,
    }
  })
  await auditQuery(ctx, { sql, account, asker: 'spark' })
  const usedDescribedTables = described.filter(({ schema, name }) =>
    account.tables.some((table) => table.schema === schema && table.name === name),
  )
  const sources = result ? await readSources(ctx, { integrationCode, tables: usedDescribedTables }) : []
  return {
    account: toQueryAccount(account),
    columns: result ? toColumnsOfResult(result) : [],
    rows: result ? result.rows.map((row) => [...row]) : [],
    isCut: account.cutAt !== null,
    tables: sources.map(({ schema_name, table_name, loaded_at }) => ({ schema_name, table_name, loaded_at })),
  }
}

export type QueryPlanCheck =
  | { readonly tables: readonly UsedTable[] }
  | { readonly problem: Pick<Refusal, 'message' | 'hint' | 'position'>; readonly isRight: boolean }

/** EXPLAIN only: the tables each query reads, or why it fails. */
export async function planProjectQueries(
  ctx: WorkspaceCtx,
  { projectId, integrationCode, signal }: QueryTarget,
  queries: readonly BoundQuery[],
): Promise<QueryPlanCheck[]> {
  const chosen = await listChosen(ctx, { projectId, integrationCode })
  return await withProjectSession(ctx, { integrationCode, tables: chosen, signal }, async (openedProjectSession) => {
    const tables = await readTables(openedProjectSession.session, toAddresses(chosen))
    const checks: QueryPlanCheck[] = []
    for (const query of queries) checks.push(await planQuery(openedProjectSession, query, tables))
    return checks
  })
}

const EXPLAIN = 'explain '

async function planQuery(
  openedProjectSession: Parameters<typeof runSql>[0],
  { sql, values }: BoundQuery,
  tables: readonly DescribedTable[],
): Promise<QueryPlanCheck> {
  try {
    const { account } = await runSql(openedProjectSession, { sql: `${EXPLAIN}${sql}`, values, tables })
    if (!account.refusal) return { tables: account.tables }
    const { message, hint, position, code } = account.refusal
    const index = position === null ? null : Math.max(0, position - EXPLAIN.length)
    return { problem: { message, hint, position: index }, isRight: code === 'no_right' }
  } catch (error) {
    if (!(error instanceof WorkspaceDbError) || error.code === 'cancelled' || error.code === 'unavailable') throw error
    const position = error.position === undefined ? null : Math.max(0, error.position - 1 - EXPLAIN.length)
    return { problem: { message: error.message, hint: error.hint ?? null, position }, isRight: false }
  }
}

export async function describeProjectTable(
  ctx: WorkspaceCtx,
  target: QueryTarget,
  { schema, name }: UsedTable,
): Promise<DescribedTable | undefined> {
  const chosen = await listChosen(ctx, target)
  if (!chosen.some(({ schema_name, table_name }) => schema_name === schema && table_name === name)) return undefined
  const { integrationCode, signal } = target
  const [describedTable] = await withProjectSession(ctx, { integrationCode, tables: chosen, signal }, ({ session }) =>
    readTables(session, [{ schema, name }]),
  )
  return describedTable
}
