import * as z from 'zod/mini'
import { defineEndpoint } from '../core/endpoint.ts'
import { Done, WorkspaceParams } from '../core/shapes.ts'
import { Dashboard, TileOrder } from './dashboard.schemas.ts'

export const getWorkspaceDashboard = defineEndpoint({
  id: 'getWorkspaceDashboard',
  feature: 'dashboard',
  permission: 'workspace:read',
  method: 'GET',
  path: '/:account_trellis_code/:workspace_address/dashboard',
  summary: 'How a workspace does: dataflows, tables, storage, credits and what was opened last',
  params: WorkspaceParams,
  response: Dashboard,
})

export const arrangeDashboard = defineEndpoint({
  id: 'arrangeDashboard',
  feature: 'dashboard',
  permission: 'workspace:read',
  method: 'PUT',
  path: '/:account_trellis_code/:workspace_address/dashboard/tiles',
  summary: 'Arrange the tiles of the dashboard for myself',
  params: WorkspaceParams,
  body: z.object({ tiles: TileOrder }),
  response: Done,
  quiet: true,
})

export const dashboardEndpoints = [getWorkspaceDashboard, arrangeDashboard]
