import { type KyselyTransactionLike, PgBoss, fromKysely } from 'pg-boss'
import * as z from 'zod/mini'
import type { Job } from './define-job.ts'
import { SCHEMA, queueSettings } from './queue.ts'

/** Within an open transaction, the job exists only if it commits. */
export interface EnqueueCtx {
  readonly db: KyselyTransactionLike
}

export interface EnqueueOptions {
  runAt?: Date
  singletonKey?: string
  group?: string
}

export async function enqueue<Payload extends object>(
  ctx: EnqueueCtx,
  job: Job<Payload>,
  ...[payload, options = {}]: [payload: NoInfer<Payload>, options?: EnqueueOptions]
): Promise<string | undefined> {
  const data = z.parse(job.payload, payload)
  const db = fromKysely(ctx.db)
  const boss = new PgBoss({ db, schema: SCHEMA, migrate: false, supervise: false, schedule: false })
  const send = () =>
    boss.send(job.name, data, {
      ...(options.runAt && { startAfter: options.runAt }),
      ...(options.group !== undefined && { group: { id: options.group } }),
      ...(options.singletonKey !== undefined && { singletonKey: options.singletonKey }),
    })
  try {
    return (await send()) ?? undefined
  } catch (error) {
    if (!(error instanceof Error) || error.message !== `Queue ${job.name} does not exist`) throw error
    // First use of this queue. pg-boss's createQueue would commit the caller's transaction.
    await db.executeSql(`select ${SCHEMA}.create_queue($1, $2)`, [job.name, JSON.stringify(queueSettings(job))])
    return (await send()) ?? undefined
  }
}
