import type { ColumnType, Generated } from 'kysely'
import type { Stamp } from './identity.ts'

export interface RequestTables {
  idempotency_keys: {
    actor: string
    endpoint: string
    key: string
    body_hash: Buffer
    status: number | null
    response: string | null
    created_at: Stamp
  }
  rate_limits: { key: string; window_start: Date; count: number }
  audit_lines: {
    scope: string
    seq: Generated<number>
    at: Stamp
    account_id: number | null
    workspace_id: number | null
    profile_id: number | null
    action: string
    outcome: 'done' | 'refused' | 'failed'
    detail: ColumnType<Record<string, unknown>, string | undefined, never>
    ip: string | null
    request_id: string | null
    previous_hash: Generated<Buffer>
    hash: Generated<Buffer>
  }
}
