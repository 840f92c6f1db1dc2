import { defineJob } from '@trellis/jobs/define-job'
import * as z from 'zod/mini'

export const pruneRuns = defineJob({
  name: 'runs.prune',
  payload: z.object({}),
  maxAttempts: 2,
  timeoutSeconds: 900,
  concurrency: 1,
  cron: { expression: '41 2 * * *' },
})

export const clearLoads = defineJob({
  name: 'runs.clear-loads',
  payload: z.object({}),
  maxAttempts: 2,
  timeoutSeconds: 3600,
  concurrency: 1,
  cron: { expression: '11 3 * * *' },
})

/** Duplicates of a job wait for each other in the database. */
export const takeRunBack = defineJob({
  name: 'runs.take-back',
  payload: z.object({ undo_id: z.uuid() }),
  maxAttempts: 5,
  timeoutSeconds: 6 * 3600,
  backoff: { firstSeconds: 2, maxSeconds: 10 },
  concurrency: 3,
  perGroup: 2,
  singleton: 'both',
})

/** Checks the WAL retained for replication slots, and drops unused ones. */
export const watchSlots = defineJob({
  name: 'runs.watch-slots',
  payload: z.object({}),
  maxAttempts: 1,
  timeoutSeconds: 240,
  concurrency: 1,
  cron: { expression: '* * * * *' },
})
