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

/** Writes one line of the trail: an account's, else the person's own, else the platform's. */
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

/**
 * A sign-in, or one that failed: shown in the log of every account the person belongs to. Copied by a job, which an
 * unknown e-mail gets too, so that the answer takes the same time.
 */
export async function writeSignIn(
  ctx: { readonly db: Db },
  line: AuditLine & { action: 'signIn' | 'sessionRevoked' },
): Promise<void> {
  await transaction(ctx, async (ctx) => await enqueue(ctx, copySignIn, await writeAudit(ctx, line)))
}
