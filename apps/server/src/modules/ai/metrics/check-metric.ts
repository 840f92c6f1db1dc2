import { createEngine } from '@trellis/assistant/engine/answer'
import { buildMetricQuery } from '@trellis/assistant/engine/plan/metric-sql'
import { readForeignKeyLinks, readTables } from '@trellis/workspace-db/catalogue/read-tables'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { findProjectTables } from '../../ai-projects/projects.service.ts'
import { withProjectSession } from '../tools/project-session.service.ts'
import { runSql } from '../tools/run-sql.service.ts'
import { readMetric } from './read-metrics.ts'

interface QueryTarget {
  readonly projectId: number
  readonly integrationCode: string
  readonly signal: AbortSignal
}

/** EXPLAINs the metric; undefined if it works. */
export async function findMetricProblem(
  ctx: WorkspaceCtx,
  { projectId, integrationCode, signal }: QueryTarget,
  { name, sql }: { name: string; sql: string },
): Promise<string | undefined> {
  const metric = await readMetric({ code: '', name, sql, problem: null })
  if (metric.problem !== null) return metric.problem
  const all = await findProjectTables(ctx, projectId)
  const chosen = all.filter((table) => table.integration_code === integrationCode)
  const addresses = chosen.map(({ schema_name, table_name }) => ({ schema: schema_name, name: table_name }))
  return await withProjectSession(ctx, { integrationCode, tables: chosen, signal }, async (openedProjectSession) => {
    const tables = await readTables(openedProjectSession.session, addresses)
    const foreignKeys = await readForeignKeyLinks(openedProjectSession.session, addresses)
    const described = tables.map((table) => ({ ...table, labels: [] }))
    const engine = createEngine({ tables: described, foreignKeys, synonyms: [], metrics: [metric] })
    const [resolved] = engine.metrics
    if (!resolved) return engine.unusable[0]?.problem
    try {
      const { account } = await runSql(openedProjectSession, {
        sql: `explain ${buildMetricQuery(engine.model, resolved)}`,
        tables,
      })
      return account.refusal?.message
    } catch (error) {
      if (!(error instanceof WorkspaceDbError) || error.code === 'cancelled' || error.code === 'unavailable')
        throw error
      return /must appear in the GROUP BY/.test(error.message)
        ? 'Aggregate every column, such as sum(orders.total).'
        : error.message
    }
  })
}

export async function assertMetric(
  ctx: WorkspaceCtx,
  target: QueryTarget,
  metric: { name: string; sql: string },
): Promise<void> {
  const problem = await findMetricProblem(ctx, target, metric)
  if (problem !== undefined) throw new AppError('invalid_request', problem, { source: { pointer: '/sql' } })
}
