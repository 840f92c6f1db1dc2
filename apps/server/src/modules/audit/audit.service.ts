import { type AnyDb, type Db, platformTables, transaction } from '@trellis/control-db/database'
import { enqueue } from '@trellis/jobs/enqueue'
import { copySignIn } from './audit.jobs.ts'

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

export interface AuditPlace {
  scope: string
  seq: number
}

/** To the account's chain, else the person's, else the platform's. */
export async function writeAudit(ctx: { readonly db: AnyDb }, line: AuditLine): Promise<AuditPlace> {
  const scope = line.accountId ? `account:${line.accountId}` : line.profileId ? `profile:${line.profileId}` : 'system'
  return await platformTables(ctx)
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
    .returning(['scope', 'seq'])
    .executeTakeFirstOrThrow()
}

/** Copied to the account logs by a job, also for an unknown email, so that the response time reveals nothing. */
export async function writeSignIn(
  ctx: { readonly db: Db },
  line: AuditLine & { action: 'signIn' | 'sessionRevoked' },
): Promise<void> {
  await transaction(ctx, async (ctx) => await enqueue(ctx, copySignIn, await writeAudit(ctx, line)))
}
