import { type AnyDb, platformTables } from '@trellis/control-db/database'

export interface AuditLine {
  action: string
  outcome: 'done' | 'refused' | 'failed'
  profileId?: number | null
  accountId?: number | null
  workspaceId?: number | null
  detail?: Record<string, unknown>
  ip?: string | null
  requestId?: string | null
}

/** Writes one line of the trail: an account's, else the person's own, else the platform's. */
export async function writeAudit(ctx: { readonly db: AnyDb }, line: AuditLine): Promise<void> {
  const scope = line.accountId ? `account:${line.accountId}` : line.profileId ? `profile:${line.profileId}` : 'system'
  await platformTables(ctx)
    .insertInto('audit_lines')
    .values({
      scope,
      action: line.action,
      outcome: line.outcome,
      profile_id: line.profileId ?? null,
      account_id: line.accountId ?? null,
      workspace_id: line.workspaceId ?? null,
      detail: JSON.stringify(line.detail ?? {}),
      ip: line.ip ?? null,
      request_id: line.requestId ?? null,
    })
    .execute()
}
