import type * as z from 'zod/mini'
import * as accounts from './accounts/accounts.schemas.ts'
import * as actions from './actions/actions.schemas.ts'
import * as ai from './ai/ai.schemas.ts'
import * as documents from './ai/documents.schemas.ts'
import * as messageParts from './ai/message-parts.schemas.ts'
import * as models from './ai/models.schemas.ts'
import * as scheduledQuestions from './ai/scheduled-questions.schemas.ts'
import * as billing from './billing/billing.schemas.ts'
import * as charts from './charts/charts.schemas.ts'
import * as shapes from './core/shapes.ts'
import * as dashboard from './dashboard/dashboard.schemas.ts'
import * as databaseAdmin from './database-admin/database-admin.schemas.ts'
import * as dataflows from './dataflows/dataflows.schemas.ts'
import * as schedules from './dataflows/schedules.ts'
import * as taskBlocks from './dataflows/task-blocks.schemas.ts'
import * as triggers from './dataflows/triggers.ts'
import * as explorer from './explorer/explorer.schemas.ts'
import * as filters from './explorer/filters.ts'
import * as recycleBin from './explorer/recycle-bin.schemas.ts'
import * as rowEdits from './explorer/row-edits.schemas.ts'
import * as forma from './formas/forma.ts'
import * as historicDateRange from './formas/historic-date-range.ts'
import * as identity from './identity/identity.schemas.ts'
import * as integrations from './integrations/integrations.schemas.ts'
import * as restManifest from './integrations/rest-manifest.ts'
import * as mailbox from './mailbox/mailbox.schemas.ts'
import * as members from './members/members.schemas.ts'
import * as profile from './profile/profile.schemas.ts'
import * as comparisons from './runs/comparisons.schemas.ts'
import * as flowRuns from './runs/flow-runs.schemas.ts'
import * as inboundWebhooks from './runs/inbound-webhooks.schemas.ts'
import * as runs from './runs/runs.schemas.ts'
import * as triggerStatus from './runs/trigger-status.schemas.ts'
import * as versions from './runs/versions.schemas.ts'
import * as sparkBridge from './sparks/spark-bridge.schemas.ts'
import * as sparkComments from './sparks/spark-comments.schemas.ts'
import * as sparkContent from './sparks/spark-content.schemas.ts'
import * as sparkSchedules from './sparks/spark-schedules.schemas.ts'
import * as sparks from './sparks/sparks.schemas.ts'
import * as running from './sql/running.schemas.ts'
import * as sql from './sql/sql.schemas.ts'
import * as transactions from './sql/transactions.schemas.ts'
import * as uploads from './uploads/uploads.schemas.ts'
import * as editorSettings from './worksheets/editor-settings.ts'
import * as scheduled from './worksheets/scheduled.schemas.ts'
import * as worksheets from './worksheets/worksheets.schemas.ts'
import * as workspaces from './workspaces/workspaces.schemas.ts'

type Schema = z.core.$ZodType

const MODULES: Record<string, readonly object[]> = {
  accounts: [accounts],
  actions: [actions],
  ai: [ai, documents, messageParts, models, scheduledQuestions],
  billing: [billing],
  charts: [charts],
  core: [shapes],
  dashboard: [dashboard],
  'database-admin': [databaseAdmin],
  dataflows: [dataflows, schedules, taskBlocks, triggers],
  explorer: [explorer, filters, recycleBin, rowEdits],
  formas: [forma, historicDateRange],
  identity: [identity],
  integrations: [integrations, restManifest],
  mailbox: [mailbox],
  members: [members],
  profile: [profile],
  runs: [comparisons, flowRuns, inboundWebhooks, runs, triggerStatus, versions],
  sparks: [sparkBridge, sparkComments, sparkContent, sparkSchedules, sparks],
  sql: [running, sql, transactions],
  uploads: [uploads],
  worksheets: [editorSettings, scheduled, worksheets],
  workspaces: [workspaces],
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && '_zod' in value

const capitalize = (text: string) => text.replaceAll(/(?:^|-)(\w)/g, (_all, letter: string) => letter.toUpperCase())

/** Schemas by export name, prefixed with the feature where two features export the same name. */
export function nameSchemas(): ReadonlyMap<Schema, string> {
  const exported = Object.entries(MODULES).flatMap(([feature, modules]) =>
    modules.flatMap((module) =>
      Object.entries(module).flatMap(([name, value]: [string, unknown]) =>
        isSchema(value) ? [{ feature, name, schema: value }] : [],
      ),
    ),
  )
  const first = new Map<Schema, (typeof exported)[number]>()
  for (const item of exported) if (!first.has(item.schema)) first.set(item.schema, item)
  const byName = Map.groupBy(first.values(), ({ name }) => name)
  return new Map(
    [...first.values()].map(({ feature, name, schema }) => [
      schema,
      (byName.get(name)?.length ?? 0) > 1 ? `${capitalize(feature)}${name}` : name,
    ]),
  )
}
