import { type EnqueueCtx, enqueue } from '@trellis/jobs/enqueue'
import { sweepDatabaseAccess } from './database-admin.jobs.ts'

/** Deletes the logins at once instead of with the next sweep. */
export async function emitMemberLeft(ctx: EnqueueCtx): Promise<void> {
  await enqueue(ctx, sweepDatabaseAccess, {})
}
