import type { Generated } from 'kysely'
import type { Json } from './explorer.ts'
import type { Stamp } from './identity.ts'

export interface SqlTables {
  sql_jobs: {
    id: string
    account_id: number
    workspace_id: number
    profile_id: number | null
    integration_code: string
    sql: string
    request: Json<object>
    file_id: string | null
    status: Generated<'queued' | 'running' | 'completed' | 'failed' | 'cancelled'>
    keep_running: boolean
    statements: Json<object[]>
    problem: Json<object> | null
    created_at: Stamp
    started_at: Date | null
    finished_at: Date | null
    heartbeat_at: Stamp
    followed_at: Stamp
    cancel_requested_at: Date | null
    expires_at: Date
    results_deleted_at: Date | null
    backend_pid: number | null
    transaction_id: string | null
  }
  sql_transactions: {
    id: string
    account_id: number
    workspace_id: number
    profile_id: number
    integration_code: string
    file_id: string
    status: Generated<'open' | 'committed' | 'rolled_back'>
    reason: string | null
    problem: string | null
    is_failed: Generated<boolean>
    row_limit: number
    timeout_seconds: number
    backend_pid: number | null
    end_requested: string | null
    started_at: Date
    idle_since: Date
    heartbeat_at: Date
    ended_at: Date | null
  }
  sql_parameters: {
    account_id: number
    workspace_id: number
    profile_id: number
    file_id: string
    parameters: Json<object>
    updated_at: Stamp
  }
  sql_limits: {
    account_id: number
    workspace_id: number
    max_row_limit: number | null
    max_timeout_seconds: number | null
  }
}
