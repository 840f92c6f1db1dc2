import type { PgBoss, Queue } from 'pg-boss'
import type { Job } from './define-job.ts'

export const SCHEMA = 'jobs'

/** After this silence a worker counts as dead, and its job is retried elsewhere. */
const HEARTBEAT_SECONDS = 10

export const WIND_DOWN_SECONDS = 5

const RETENTION_SECONDS = 14 * 24 * 3600

const POLICIES = { queued: 'short', running: 'singleton', both: 'exclusive' } as const

export type QueueSettings = Omit<Queue, 'name'>

export function queueSettings(job: Job): QueueSettings {
  return {
    policy: job.singleton ? POLICIES[job.singleton] : 'standard',
    retryLimit: job.maxAttempts - 1,
    retryDelay: job.backoff.firstSeconds,
    retryBackoff: true,
    retryDelayMax: job.backoff.maxSeconds,
    expireInSeconds: Math.ceil(job.timeoutSeconds) + WIND_DOWN_SECONDS * 3,
    deleteAfterSeconds: RETENTION_SECONDS,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    notify: true,
  }
}

/** The policy of an existing queue cannot change, since its index implements it. */
export async function syncQueue(boss: PgBoss, job: Job): Promise<void> {
  const { policy, ...settings } = queueSettings(job)
  const existing = await boss.getQueue(job.name)
  if (!existing) return await boss.createQueue(job.name, queueSettings(job))
  if (existing.policy !== policy) {
    throw new Error(
      `Job ${job.name} changed its singleton policy, which an existing queue cannot; give the job a new name instead.`,
    )
  }
  await boss.updateQueue(job.name, settings)
}
