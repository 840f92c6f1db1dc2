import type { Generated } from 'kysely'
import type { Stamp } from './identity.ts'

/** Tables that belong to one account; reached only through `scoped`. */
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
    created_at: Stamp
    updated_at: Stamp
  }
  workspace_members: {
    account_id: number
    workspace_id: number
    profile_id: number
    role: 'workspace_admin' | 'workspace_editor' | 'workspace_viewer'
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
    created_at: Stamp
    updated_at: Stamp
  }
}
