import { defineJob } from '@trellis/jobs/define-job'
import * as z from 'zod/mini'

/** Logs of old runs, and due times and events nobody asks about any more. */
export const pruneRuns = defineJob({
  name: 'runs.prune',
  payload: z.object({}),
  maxAttempts: 2,
  timeoutSeconds: 900,
  concurrency: 1,
  cron: { expression: '41 2 * * *' },
})

/** Tables of loads that nobody goes on with, beside the data of workspaces. */
export const clearLoads = defineJob({
  name: 'runs.clear-loads',
  payload: z.object({}),
  maxAttempts: 2,
  timeoutSeconds: 3600,
  concurrency: 1,
  cron: { expression: '11 3 * * *' },
})

/** What a run wrote is taken back, as its row says. Twins of one asking wait for each other in the database. */
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

/** Looks how much of their log sources keep for replication slots, and drops those nobody reads. */
export const watchSlots = defineJob({
  name: 'runs.watch-slots',
  payload: z.object({}),
  maxAttempts: 1,
  timeoutSeconds: 240,
  concurrency: 1,
  cron: { expression: '* * * * *' },
})
