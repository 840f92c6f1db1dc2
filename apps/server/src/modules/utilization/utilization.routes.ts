import * as calls from '@trellis/contract/utilization/utilization.endpoints'
import { handle } from '../../http/handle.ts'
import { findUsageDays } from './usage-days.repository.ts'
import { getWorkspaceUtilization } from './workspace/workspace-usage.ts'

const DAY = 86_400_000

export const utilizationRoutes = [
  handle(calls.listUsageDays, ({ query }, ctx) => {
    const since = new Date(ctx.clock.now().getTime() - (query.days - 1) * DAY)
    return findUsageDays(ctx, since.toISOString().slice(0, 10))
  }),
  handle(calls.getWorkspaceUtilization, ({ query }, ctx) => getWorkspaceUtilization(ctx, query.days)),
]
