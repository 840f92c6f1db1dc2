import { getPlanLimits } from '@trellis/contract/billing/plans'
import type { ExplorerHome } from '@trellis/contract/explorer/explorer.schemas'
import type * as z from 'zod/mini'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { listDatabases } from '../explorer/browse.service.ts'
import { listRecentTables } from '../explorer/recent-tables.service.ts'
import { readPlanUsage } from '../utilization/utilization.service.ts'
import { listRecentWorksheets } from '../worksheets/usage/recent-worksheets.service.ts'

export async function getExplorerHome(ctx: WorkspaceCtx): Promise<z.infer<typeof ExplorerHome>> {
  const { storage } = await readPlanUsage(ctx, ctx.account.id)
  return {
    databases: await listDatabases(ctx),
    recent_tables: await listRecentTables(ctx),
    recent_worksheets: await listRecentWorksheets(ctx),
    storage: { used_bytes: storage, limit_bytes: getPlanLimits(ctx.account.type).storage },
  }
}
