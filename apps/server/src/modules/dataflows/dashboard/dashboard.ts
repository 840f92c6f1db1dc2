import type { DashboardInformation } from '@trellis/contract/dataflows/dataflows.schemas'
import type * as z from 'zod/mini'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { countHealth, findFailures, findNextDue } from './dashboard.repository.ts'

const MAX_LISTED = 10

export async function getDashboard(ctx: WorkspaceCtx): Promise<z.infer<typeof DashboardInformation>> {
  const now = ctx.clock.now()
  const today = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()))
  const day = today.toISOString().slice(0, 10)
  const counts = await countHealth(ctx, { firstDay: day, yesterday: today, today, dayAgo: today })
  const failures = await findFailures(ctx, MAX_LISTED)
  return {
    dataflow_count: counts.dataflows,
    running: counts.running,
    queued: counts.queued,
    succeeded_today: counts.succeeded,
    failed_today: counts.failed,
    rows_today: counts.rows,
    next_due: (await findNextDue(ctx, now, MAX_LISTED)).map(({ dataflow_code, name, at }) => ({
      dataflow_trellis_code: dataflow_code,
      name,
      at: at.toISOString(),
    })),
    latest_failures: failures.map((failure) => ({
      dataflow_trellis_code: failure.dataflow_code,
      task_block_trellis_code: failure.block_code,
      name: failure.name,
      message: failure.message ?? 'It ended without saying why.',
      at: failure.at.toISOString(),
    })),
  }
}
