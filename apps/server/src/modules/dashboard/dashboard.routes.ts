import * as calls from '@trellis/contract/dashboard/dashboard.endpoints'
import { getExplorerHome as explorerHome } from '@trellis/contract/explorer/explorer.endpoints'
import { handle } from '../../http/handle.ts'
import { getDashboard } from './dashboard.ts'
import { getExplorerHome } from './explorer-home.ts'
import { saveTileOrder } from './tiles.repository.ts'

export const dashboardRoutes = [
  handle(calls.getWorkspaceDashboard, (_, ctx) => getDashboard(ctx)),
  handle(explorerHome, (_, ctx) => getExplorerHome(ctx)),
  handle(calls.arrangeDashboard, async ({ body }, ctx) => {
    await saveTileOrder(ctx, body.tiles)
    return { done: true as const }
  }),
]
