import type { ColumnType, Generated } from 'kysely'
import type { Stamp } from './identity.ts'

export interface AccountTables {
  account_members: {
    account_id: number
    profile_id: number
    role: 'owner' | 'account_admin' | 'account_view'
    created_at: Stamp
  }
  workspaces: {
    id: Generated<number>
    account_id: number
    trellis_code: string
    name: string
    workspace_address: string
    state: Generated<'provisioning' | 'online' | 'failed'>
    created_by: number | null
    database_key: string | null
    database_credentials: string | null
    database_version: Generated<number>
    cluster_id: Generated<number>
    storage_bytes: Generated<number>
    storage_measured_at: Date | null
    deleted_at: Date | null
    deleted_by: number | null
    removal_started_at: Date | null
    created_at: Stamp
    updated_at: Stamp
  }
  workspace_members: {
    account_id: number
    workspace_id: number
    profile_id: number
    role: 'workspace_admin' | 'workspace_editor' | 'workspace_viewer'
  }
  notifications: {
    id: Generated<number>
    profile_id: number
    account_id: number
    workspace_id: number | null
    kind:
      | 'run_failed'
      | 'invited'
      | 'storage'
      | 'credits'
      | 'schedules'
      | 'export_finished'
      | 'export_failed'
      | 'mention'
      | 'columns_changed'
      | 'slot_dropped'
    title: string
    detail: string
    path: string
    group_key: string
    spark_comment_id: Generated<number | null>
    count: Generated<number>
    at: Date
    read_at: Date | null
    mailed_at: Date | null
  }
  account_invites: {
    id: Generated<number>
    account_id: number
    email: string
    account_role: 'account_admin' | 'account_view'
    workspace_roles: ColumnType<
      { workspace_id: number; role: 'workspace_admin' | 'workspace_editor' | 'workspace_viewer' }[],
      string | undefined,
      never
    >
    invited_by: number
    invited_at: Stamp
    expires_at: Date
    accepted_at: Date | null
    declined_at: Date | null
    revoked_at: Date | null
  }
}

export interface PlatformAccountTables {
  accounts: {
    id: Generated<number>
    trellis_code: string
    name: string
    account_type: 'basic' | 'team' | 'enterprise' | 'enterprise_trellis' | 'experimental_user' | 'testing' | 'internal'
    stripe_plan_end_date: Date | null
    stripe_plan_renewal_date: Date | null
    stripe_plan_cancelled_at: Date | null
    stripe_customer_id: string | null
    stripe_subscription_id: string | null
    plan_status: Generated<'active' | 'past_due' | 'cancelling' | 'over'>
    next_plan: 'basic' | 'team' | null
    provider_update_due_at: Date | null
    deleted_at: Date | null
    deleted_by: number | null
    removal_started_at: Date | null
    removal_notice_at: Date | null
    created_at: Stamp
    updated_at: Stamp
  }
  temporary_accounts: {
    id: Generated<number>
    name: string
    created_by: number
    account_id: number | null
    stripe_customer_id: string | null
    created_at: Stamp
  }
  access_tokens: {
    id: Generated<number>
    profile_id: number
    name: string
    prefix: string
    secret_hash: Buffer
    scopes: string[]
    created_at: Stamp
    expires_at: Date | null
    last_used_at: Date | null
    revoked_at: Date | null
    resource: string | null
  }
  oauth_clients: { client_id: string; name: string; redirect_uris: string[]; created_at: Stamp }
  oauth_codes: {
    code_hash: Buffer
    client_id: string
    profile_id: number
    redirect_uri: string
    code_challenge: string
    resource: string
    scopes: string[]
    expires_at: Date
    used_at: Date | null
    token_id: number | null
  }
}
