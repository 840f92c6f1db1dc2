import type { ColumnType, Generated } from 'kysely'
import type { Stamp } from './identity.ts'

export interface BillingTables {
  credit_grants: {
    id: Generated<number>
    account_id: number
    kind: 'free' | 'month' | 'purchased'
    amount: number
    spent: Generated<number>
    reason: string
    reference: string
    valid_from: Stamp
    valid_until: Date | null
    created_at: Stamp
  }
  credit_spends: {
    id: Generated<number>
    account_id: number
    grant_id: number
    workspace_id: number | null
    profile_id: number | null
    amount: number
    reason: string
    reference: string
    at: Stamp
  }
  usage_days: {
    account_id: number
    day: ColumnType<string, string, string>
    users: number
    workspaces: number
    storage_bytes: number
    credits_spent: number
  }
  usage_hours: {
    account_id: number
    workspace_id: number
    hour: Date
    storage_bytes: number
    rows_moved: number
    run_seconds: number
    queries: number
    credits_spent: number
  }
  table_sizes: {
    account_id: number
    workspace_id: number
    hour: Date
    schema_name: string
    /** Empty for the rest of a schema whose tables are not listed one by one. */
    table_name: string
    bytes: number
  }
}

export interface PlatformBillingTables {
  billing_events: {
    id: string
    type: string
    customer_id: string | null
    payload: ColumnType<unknown, string, string>
    received_at: Stamp
    worked_at: Date | null
    attempts: Generated<number>
    last_error: string | null
  }
  billing_cursor: { name: string; value: string; updated_at: Stamp }
}
