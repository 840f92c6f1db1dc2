import type { AccountTables, PlatformAccountTables } from './tables/accounts.ts'
import type { AiTables } from './tables/ai.ts'
import type { BillingTables, PlatformBillingTables } from './tables/billing.ts'
import type { ClusterTables } from './tables/clusters.ts'
import type { DataflowTables } from './tables/dataflows.ts'
import type { DatabaseAdminTables } from './tables/database-admin.ts'
import type { ExplorerTables } from './tables/explorer.ts'
import type { IdentityTables } from './tables/identity.ts'
import type { MailTables } from './tables/mail.ts'
import type { RequestTables } from './tables/requests.ts'
import type { SecretTables } from './tables/secrets.ts'
import type { SparkTables } from './tables/sparks.ts'
import type { SqlTables } from './tables/sql.ts'
import type { IntegrationTables } from './tables/integrations.ts'
import type { UploadTables } from './tables/uploads.ts'
import type { WorksheetTables } from './tables/worksheets.ts'

export type PlatformTables = IdentityTables &
  PlatformAccountTables &
  PlatformBillingTables &
  MailTables &
  RequestTables &
  SecretTables &
  ClusterTables

/** Tables with account_id, reachable through `scoped` only. */
export type ScopedTables = AccountTables &
  BillingTables &
  ExplorerTables &
  UploadTables &
  DatabaseAdminTables &
  IntegrationTables &
  DataflowTables &
  WorksheetTables &
  SqlTables &
  AiTables &
  SparkTables

export type Tables = PlatformTables & ScopedTables
