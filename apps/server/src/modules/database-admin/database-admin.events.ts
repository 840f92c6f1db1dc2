import { type EnqueueCtx, enqueue } from '@trellis/jobs/enqueue'
import { sweepDatabaseAccess } from './database-admin.jobs.ts'

/** Whoever is no member any more loses their logins now and not with the next minute. */
export async function memberLeft(ctx: EnqueueCtx): Promise<void> {
  await enqueue(ctx, sweepDatabaseAccess, {})
}
