import type { QueryAccount } from '@trellis/contract/ai/message-parts.schemas'
import { GUARD_LIMITS, type GuardAccount, type GuardedResult, runGuarded } from '@trellis/sql-guard/run-guarded'
import { type DescribedTable, readTables } from '@trellis/workspace-db/catalogue/read-tables'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import type { Value } from '@trellis/workspace-db/session/portal'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import type { ProjectTable } from '../../ai-projects/projects.service.ts'
import { type ProjectSession, withProjectSession } from './project-session.service.ts'

const toScope = ({ functions }: ProjectSession, tables: readonly DescribedTable[]) => ({
  functions,
  tables: tables.map(({ schema, name, columns }) => ({ schema, name, columns: columns.map((column) => column.name) })),
})

export async function runSql(
  openedProjectSession: ProjectSession,
  { sql, values = [], tables }: { sql: string; values?: readonly Value[]; tables: readonly DescribedTable[] },
): Promise<GuardedResult> {
  return await runGuarded(openedProjectSession.session, {
    sql,
    values,
    scope: toScope(openedProjectSession, tables),
    limits: GUARD_LIMITS,
  })
}

export const toQueryAccount = (account: GuardAccount): QueryAccount => ({
  role: account.role,
  tables: account.tables.map(({ schema, name }) => ({ schema_name: schema, table_name: name })),
  estimated_cost: account.estimatedCost,
  estimated_rows: account.estimatedRows,
  max_cost: account.limits.maxCost,
  max_rows: account.limits.maxRows,
  max_bytes: account.limits.maxBytes,
  timeout_ms: account.limits.statementMs,
  rows: account.rows,
  cut_at: account.cutAt,
  duration_ms: account.durationMs,
  refusal: account.refusal,
})

/** EXPLAIN only; undefined if it can run. */
export async function explainQuery(
  ctx: WorkspaceCtx,
  { integrationCode, tables, sql }: { integrationCode: string; tables: readonly ProjectTable[]; sql: string },
): Promise<string | undefined> {
  return await withProjectSession(
    ctx,
    { integrationCode, tables, signal: ctx.http.signal },
    async (openedProjectSession) => {
      const addresses = tables.map(({ schema_name, table_name }) => ({ schema: schema_name, name: table_name }))
      const describedTables = await readTables(openedProjectSession.session, addresses)
      try {
        const { account } = await runSql(openedProjectSession, { sql: `explain ${sql}`, tables: describedTables })
        return account.refusal?.message
      } catch (error) {
        if (error instanceof WorkspaceDbError) return error.message
        throw error
      }
    },
  )
}
