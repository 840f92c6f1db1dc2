import { type AnyDb, type Db, transaction } from '@trellis/control-db/database'
import { enqueue } from '@trellis/jobs/enqueue'
import { copySignIn } from './audit.jobs.ts'
import { type AuditPosition, type NewAuditLine, insertAuditLine } from './audit.repository.ts'

export type { AuditPosition, NewAuditLine as AuditLine }

/** To the account's chain, else the person's, else the platform's. */
export async function writeAudit(ctx: { readonly db: AnyDb }, line: NewAuditLine): Promise<AuditPosition> {
  const scope = line.accountId ? `account:${line.accountId}` : line.profileId ? `profile:${line.profileId}` : 'system'
  return await insertAuditLine(ctx, scope, line)
}

/** Copied to the account logs by a job, also for an unknown email, so that the response time reveals nothing. */
export async function writeSignIn(
  ctx: { readonly db: Db },
  line: NewAuditLine & { action: 'signIn' | 'sessionRevoked' },
): Promise<void> {
  await transaction(ctx, async (ctx) => await enqueue(ctx, copySignIn, await writeAudit(ctx, line)))
}
