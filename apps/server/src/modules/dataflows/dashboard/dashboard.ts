import type { DashboardInformation } from '@trellis/contract/dataflows/dataflows.schemas'
import type * as z from 'zod/mini'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { countRuns, findFailures } from './dashboard.repository.ts'
import { getFolderStructure } from '../dataflows.service.ts'

const LISTED = 10

export async function getDashboard(ctx: WorkspaceCtx): Promise<z.infer<typeof DashboardInformation>> {
  const now = ctx.clock.now()
  const today = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()))
  const { dataflows } = await getFolderStructure(ctx)
  const counts = await countRuns(ctx, today)
  const failures = await findFailures(ctx, LISTED)
  return {
    dataflow_count: dataflows.length,
    running: counts.running,
    queued: counts.queued,
    succeeded_today: counts.succeeded,
    failed_today: counts.failed,
    rows_today: counts.rows,
    next_due: dataflows
      .flatMap(({ trellis_code, name, next_due_at: at }) =>
        at === null ? [] : [{ dataflow_trellis_code: trellis_code, name, at }],
      )
      .toSorted((a, b) => a.at.localeCompare(b.at))
      .slice(0, LISTED),
    latest_failures: failures.map((failure) => ({
      dataflow_trellis_code: failure.dataflow_code,
      task_block_trellis_code: failure.block_code,
      name: failure.name,
      message: failure.message ?? 'It ended without saying why.',
      at: failure.at.toISOString(),
    })),
  }
}
