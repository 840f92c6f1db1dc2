import { actionsEndpoints } from './actions/actions.endpoints.ts'
import { aiProjectsEndpoints } from './ai/ai-projects.endpoints.ts'
import { consoleEndpoints } from './ai/console.endpoints.ts'
import { conversationsEndpoints } from './ai/conversations.endpoints.ts'
import { documentsEndpoints } from './ai/documents.endpoints.ts'
import { modelsEndpoints } from './ai/models.endpoints.ts'
import { scheduledQuestionsEndpoints } from './ai/scheduled-questions.endpoints.ts'
import { accountsEndpoints } from './accounts/accounts.endpoints.ts'
import { auditEndpoints } from './audit/audit.endpoints.ts'
import { billingEndpoints } from './billing/billing.endpoints.ts'
import type { Endpoint } from './core/endpoint.ts'
import { dashboardEndpoints } from './dashboard/dashboard.endpoints.ts'
import { alertsEndpoints } from './dataflows/alerts.endpoints.ts'
import { canvasEndpoints, packagesEndpoints } from './dataflows/canvas.endpoints.ts'
import { dataflowYamlEndpoints } from './dataflows/dataflow-yaml.endpoints.ts'
import { dataflowsEndpoints } from './dataflows/dataflows.endpoints.ts'
import { samplesEndpoints } from './dataflows/samples.endpoints.ts'
import { catalogueEndpoints } from './explorer/catalogue.endpoints.ts'
import { explorerEndpoints } from './explorer/explorer.endpoints.ts'
import { labelsEndpoints } from './explorer/labels.endpoints.ts'
import { recycleBinEndpoints } from './explorer/recycle-bin.endpoints.ts'
import { rowEditsEndpoints } from './explorer/row-edits.endpoints.ts'
import { rowsEndpoints } from './explorer/rows.endpoints.ts'
import { firewallEndpoints } from './database-admin/firewall.endpoints.ts'
import { databaseProfilesEndpoints } from './database-admin/profiles.endpoints.ts'
import { databaseRolesEndpoints } from './database-admin/roles.endpoints.ts'
import { identityEndpoints } from './identity/identity.endpoints.ts'
import { canvasSourcesEndpoints } from './integrations/canvas-sources.endpoints.ts'
import { integrationsEndpoints } from './integrations/integrations.endpoints.ts'
import { platformsEndpoints } from './integrations/platforms.endpoints.ts'
import { mailboxEndpoints } from './mailbox/mailbox.endpoints.ts'
import { membersEndpoints } from './members/members.endpoints.ts'
import { notificationsEndpoints } from './notifications/notifications.endpoints.ts'
import { profileEndpoints } from './profile/profile.endpoints.ts'
import { flowRunsEndpoints } from './runs/flow-runs.endpoints.ts'
import { inboundWebhooksEndpoints } from './runs/inbound-webhooks.endpoints.ts'
import { quarantineEndpoints } from './runs/quarantine.endpoints.ts'
import { runsEndpoints } from './runs/runs.endpoints.ts'
import { versionsEndpoints } from './runs/versions.endpoints.ts'
import { sandboxEndpoints } from './sandbox/sandbox.endpoints.ts'
import { runningEndpoints } from './sql/running.endpoints.ts'
import { sqlEndpoints } from './sql/sql.endpoints.ts'
import { transactionEndpoints } from './sql/transactions.endpoints.ts'
import { sparkCommentsEndpoints } from './sparks/spark-comments.endpoints.ts'
import { sparksEndpoints } from './sparks/sparks.endpoints.ts'
import { agentsEndpoints } from './tokens/agents.endpoints.ts'
import { tokensEndpoints } from './tokens/tokens.endpoints.ts'
import { uploadsEndpoints } from './uploads/uploads.endpoints.ts'
import { utilizationEndpoints } from './utilization/utilization.endpoints.ts'
import { branchesEndpoints } from './worksheets/branches.endpoints.ts'
import { worksheetChartsEndpoints } from './worksheets/charts.endpoints.ts'
import { projectsEndpoints } from './worksheets/projects.endpoints.ts'
import { scheduledEndpoints } from './worksheets/scheduled.endpoints.ts'
import { workspacesEndpoints } from './workspaces/workspaces.endpoints.ts'

/** The server refuses to start when an endpoint has no handler. */
export const allEndpoints: readonly Endpoint[] = [
  ...identityEndpoints,
  ...profileEndpoints,
  ...notificationsEndpoints,
  ...accountsEndpoints,
  ...workspacesEndpoints,
  ...mailboxEndpoints,
  ...membersEndpoints,
  ...billingEndpoints,
  ...auditEndpoints,
  ...tokensEndpoints,
  ...agentsEndpoints,
  ...utilizationEndpoints,
  ...dashboardEndpoints,
  ...sandboxEndpoints,
  ...consoleEndpoints,
  ...explorerEndpoints,
  ...catalogueEndpoints,
  ...rowsEndpoints,
  ...rowEditsEndpoints,
  ...labelsEndpoints,
  ...recycleBinEndpoints,
  ...databaseRolesEndpoints,
  ...databaseProfilesEndpoints,
  ...firewallEndpoints,
  ...uploadsEndpoints,
  ...platformsEndpoints,
  ...integrationsEndpoints,
  ...canvasSourcesEndpoints,
  ...runsEndpoints,
  ...flowRunsEndpoints,
  ...inboundWebhooksEndpoints,
  ...quarantineEndpoints,
  ...dataflowsEndpoints,
  ...dataflowYamlEndpoints,
  ...packagesEndpoints,
  ...samplesEndpoints,
  ...canvasEndpoints,
  ...alertsEndpoints,
  ...versionsEndpoints,
  ...projectsEndpoints,
  ...branchesEndpoints,
  ...worksheetChartsEndpoints,
  ...scheduledEndpoints,
  ...sqlEndpoints,
  ...transactionEndpoints,
  ...runningEndpoints,
  ...actionsEndpoints,
  ...aiProjectsEndpoints,
  ...documentsEndpoints,
  ...modelsEndpoints,
  ...scheduledQuestionsEndpoints,
  ...conversationsEndpoints,
  ...sparksEndpoints,
  ...sparkCommentsEndpoints,
]
