import type { ColumnType, Generated } from 'kysely'
import type { Json } from './explorer.ts'
import type { Stamp } from './identity.ts'

export interface IntegrationTables {
  integrations: {
    id: Generated<number>
    account_id: number
    workspace_id: number
    trellis_code: string
    platform_code: string
    name: string
    description: Generated<string>
    state: Generated<'SETUP' | 'VALIDATING' | 'ACTIVE' | 'ERROR' | 'ARCHIVED'>
    is_simulated: Generated<boolean>
    settings: ColumnType<Record<string, Record<string, unknown>>, string | undefined, string>
    secrets: string | null
    secrets_set: ColumnType<string[], string | undefined, string>
    version: Generated<number>
    validation_number: Generated<number>
    validation: 'VALIDATING' | 'COMPLETED_SUCCESS' | 'COMPLETED_ERROR' | null
    validation_started_at: Date | null
    validation_finished_at: Date | null
    problem: Json<object | null> | null
    found: ColumnType<{ label: string; value: string }[], string | undefined, string>
    created_by: number | null
    created_at: Stamp
    updated_at: Stamp
  }
  integration_tokens: {
    integration_id: number
    account_id: number
    tokens: string
    access_expires_at: Date | null
    consent_expires_at: Date | null
    linked_as: string | null
    linked_by: number | null
    linked_at: Stamp
    generation: Generated<number>
  }
  integration_links: {
    state_hash: string
    account_id: number
    workspace_id: number
    integration_id: number
    profile_id: number
    code_verifier: string
    created_at: Stamp
    expires_at: Date
  }
  integration_budgets: {
    integration_id: number
    account_id: number
    free_at: Stamp
    paused_until: Date | null
  }
  integration_events: {
    id: Generated<number>
    account_id: number
    integration_id: number
    profile_id: number | null
    what: string
    at: Stamp
  }
}
