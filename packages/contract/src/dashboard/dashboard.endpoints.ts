import { defineEndpoint } from '../core/endpoint.ts'
import { WorkspaceParams } from '../core/shapes.ts'
import { Dashboard } from './dashboard.schemas.ts'

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

export const dashboardEndpoints = [getWorkspaceDashboard]
