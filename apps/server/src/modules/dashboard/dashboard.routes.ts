import * as calls from '@trellis/contract/dashboard/dashboard.endpoints'
import { handle } from '../../http/handle.ts'
import { getDashboard } from './dashboard.ts'

export const dashboardRoutes = [handle(calls.getWorkspaceDashboard, (_, ctx) => getDashboard(ctx))]
