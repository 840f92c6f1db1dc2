import type { Dashboard } from '@trellis/contract/dashboard/dashboard.schemas'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { listRecentChats } from '../ai/recent-chats.service.ts'
import { getDataflowHealth } from '../dataflows/dashboard/dataflow-health.service.ts'
import { managedCode } from '../explorer/database.service.ts'
import { listRecentTables } from '../explorer/recent-tables.service.ts'
import { listDashboardSparks } from '../sparks/sparks.service.ts'
import { getUsage } from '../utilization/utilization.service.ts'
import { listRecentWorksheets } from '../worksheets/usage/recent-worksheets.service.ts'
import { findStepsDone } from './getting-started.repository.ts'
import { findTileOrder } from './tiles.repository.ts'

const LISTED = 5

export async function getDashboard(ctx: WorkspaceCtx): Promise<Dashboard> {
  const [dataflows, rest] = await Promise.all([getDataflowHealth(ctx), readRest(ctx)])
  return { managed_database: managedCode(ctx.workspace.code), dataflows, ...rest }
}

async function readRest(ctx: WorkspaceCtx): Promise<Omit<Dashboard, 'managed_database' | 'dataflows'>> {
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
    recent_worksheets: (await listRecentWorksheets(ctx)).slice(0, LISTED),
    recent_tables: (await listRecentTables(ctx)).slice(0, LISTED),
    recent_chats: (await listRecentChats(ctx)).slice(0, LISTED),
    sparks: await listDashboardSparks(ctx),
    tile_order: await findTileOrder(ctx),
    getting_started: await findStepsDone(ctx),
  }
}
