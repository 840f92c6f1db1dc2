import type { ColumnType, Generated } from 'kysely'

export type Stamp = ColumnType<Date, Date | undefined, Date>

export interface IdentityTables {
  profiles: {
    id: Generated<number>
    trellis_user_code: string
    email: string
    first_name: string
    surname: string
    password_hash: string | null
    theme_mode: Generated<'light' | 'dark'>
    flags: ColumnType<Record<string, boolean>, string | undefined, string>
    second_factor_secret: string | null
    second_factor_enabled_at: Date | null
    second_factor_last_step: Generated<number>
    digest: Generated<'off' | 'daily' | 'weekly'>
    created_at: Stamp
    updated_at: Stamp
  }
  signups: {
    id: Generated<string>
    email: string
    first_name: string
    surname: string
    password_hash: string
    code_hash: Buffer | null
    attempts: Generated<number>
    code_expires_at: Date | null
    consumed_at: Date | null
    created_at: Stamp
  }
  reset_codes: {
    id: Generated<number>
    profile_id: number
    code_hash: Buffer
    attempts: Generated<number>
    expires_at: Date
    consumed_at: Date | null
    created_at: Stamp
  }
  sessions: {
    id: Generated<string>
    profile_id: number
    refresh_hash: Buffer
    refresh_count: Generated<number>
    rotated_at: Stamp
    user_agent: string
    ip: string
    created_at: Stamp
    last_used_at: Stamp
    expires_at: Date
    ended_at: Date | null
    ended_reason: string | null
  }
  recovery_codes: { profile_id: number; code_hash: Buffer; used_at: Date | null }
  identity_links: { issuer: string; subject: string; profile_id: number; created_at: Stamp }
  sso_attempts: { state_hash: Buffer; browser_hash: Buffer; nonce: string; code_verifier: string; expires_at: Date }
}
