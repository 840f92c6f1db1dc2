import type { Route } from '../http/handle.ts'
import { accountsRoutes } from './accounts/accounts.routes.ts'
import { actionsRoutes } from './actions/actions.routes.ts'
import { aiProjectsRoutes } from './ai-projects/ai-projects.routes.ts'
import { aiRoutes } from './ai/ai.routes.ts'
import { documentsRoutes } from './ai/documents/documents.routes.ts'
import { auditRoutes } from './audit/audit.routes.ts'
import { billingRoutes } from './billing/billing.routes.ts'
import { explorerRoutes } from './explorer/explorer.routes.ts'
import { dashboardRoutes } from './dashboard/dashboard.routes.ts'
import { dataflowsRoutes } from './dataflows/dataflows.routes.ts'
import { dataflowYamlRoutes } from './dataflows/yaml/yaml.routes.ts'
import { databaseAdminRoutes } from './database-admin/database-admin.routes.ts'
import { dependenciesRoutes } from './dependencies/dependencies.routes.ts'
import { identityRoutes } from './identity/identity.routes.ts'
import { integrationsRoutes } from './integrations/integrations.routes.ts'
import { mailboxRoutes } from './mailbox/mailbox.routes.ts'
import { mcpRoutes } from './mcp/mcp.routes.ts'
import { membersRoutes } from './members/members.routes.ts'
import { notificationsRoutes } from './notifications/notifications.routes.ts'
import { profileRoutes } from './profile/profile.routes.ts'
import { recycleBinRoutes } from './recycle-bin/recycle-bin.routes.ts'
import { flowRunsRoutes } from './runs/flow-runs/flow-runs.routes.ts'
import { inboundWebhooksRoutes } from './runs/inbound-webhooks/inbound-webhooks.routes.ts'
import { loadedRoutes } from './runs/loaded/loaded.routes.ts'
import { runsRoutes } from './runs/runs.routes.ts'
import { samplesRoutes } from './runs/samples/samples.routes.ts'
import { sparksRoutes } from './sparks/sparks.routes.ts'
import { sqlRoutes } from './sql/sql.routes.ts'
import { tokensRoutes } from './tokens/tokens.routes.ts'
import { uploadsRoutes } from './uploads/uploads.routes.ts'
import { sandboxRoutes } from './sandbox/sandbox.routes.ts'
import { utilizationRoutes } from './utilization/utilization.routes.ts'
import { worksheetsRoutes } from './worksheets/worksheets.routes.ts'
import { workspacesRoutes } from './workspaces/workspaces.routes.ts'

export const allRoutes: readonly Route[] = [
  ...identityRoutes,
  ...profileRoutes,
  ...notificationsRoutes,
  ...accountsRoutes,
  ...workspacesRoutes,
  ...explorerRoutes,
  ...dependenciesRoutes,
  ...recycleBinRoutes,
  ...mailboxRoutes,
  ...membersRoutes,
  ...billingRoutes,
  ...auditRoutes,
  ...tokensRoutes,
  ...mcpRoutes,
  ...utilizationRoutes,
  ...sandboxRoutes,
  ...dashboardRoutes,
  ...databaseAdminRoutes,
  ...uploadsRoutes,
  ...integrationsRoutes,
  ...runsRoutes,
  ...flowRunsRoutes,
  ...inboundWebhooksRoutes,
  ...loadedRoutes,
  ...dataflowsRoutes,
  ...dataflowYamlRoutes,
  ...samplesRoutes,
  ...worksheetsRoutes,
  ...sqlRoutes,
  ...aiProjectsRoutes,
  ...aiRoutes,
  ...documentsRoutes,
  ...actionsRoutes,
  ...sparksRoutes,
]
