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
