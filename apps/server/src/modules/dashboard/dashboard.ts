import type { Dashboard } from '@trellis/contract/dashboard/dashboard.schemas'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { listRecentChats } from '../ai/recent-chats.service.ts'
import { getDataflowHealth } from '../dataflows/dashboard/dataflow-health.service.ts'
import { managedCode } from '../../platform/workspace-database/open-database.ts'
import { listRecentTables } from '../explorer/recent-tables.service.ts'
import { listRecentFlowRuns } from '../runs/flow-runs/flow-runs.service.ts'
import { listDashboardSparks } from '../sparks/sparks.service.ts'
import { getUsage } from '../billing/plan-usage.service.ts'
import { listRecentWorksheets } from '../worksheets/usage/recent-worksheets.service.ts'
import { findTilesAndSteps } from './tiles-and-steps.repository.ts'

const LISTED = 5

/** Limits concurrency: a dashboard must not take all connections. */
export async function getDashboard(ctx: WorkspaceCtx): Promise<Dashboard> {
  const [dataflows, limits, recent, tiles] = await Promise.all([
    getDataflowHealth(ctx),
    readLimits(ctx),
    readRecent(ctx),
    readTiles(ctx),
  ])
  return { managed_database: managedCode(ctx.workspace.code), dataflows, ...limits, ...recent, ...tiles }
}

async function readLimits(ctx: WorkspaceCtx): Promise<Pick<Dashboard, 'storage' | 'credits'>> {
  const usage = await getUsage(ctx)
  return {
    storage: {
      used_bytes: usage.trellis_managed_database_storage_used,
      limit_bytes: usage.trellis_managed_database_storage_available,
    },
    credits: {
      remaining:
        usage.trellis_current_month_ai_tokens_remaining +
        usage.trellis_purchased_ai_tokens_remaining +
        usage.trellis_free_ai_tokens_remaining,
      available:
        usage.trellis_current_month_ai_tokens_available +
        usage.trellis_purchased_ai_tokens_available +
        usage.trellis_free_ai_tokens_available,
    },
  }
}

async function readRecent(
  ctx: WorkspaceCtx,
): Promise<Pick<Dashboard, 'recent_flow_runs' | 'recent_worksheets' | 'recent_tables' | 'recent_chats'>> {
  return {
    recent_flow_runs: await listRecentFlowRuns(ctx, LISTED),
    recent_worksheets: (await listRecentWorksheets(ctx)).slice(0, LISTED),
    recent_tables: (await listRecentTables(ctx)).slice(0, LISTED),
    recent_chats: (await listRecentChats(ctx)).slice(0, LISTED),
  }
}

async function readTiles(ctx: WorkspaceCtx): Promise<Pick<Dashboard, 'sparks' | 'tile_order' | 'getting_started'>> {
  return { sparks: await listDashboardSparks(ctx), ...(await findTilesAndSteps(ctx)) }
}
