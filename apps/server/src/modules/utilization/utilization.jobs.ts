import { defineJob } from '@trellis/jobs/define-job'
import * as z from 'zod/mini'

/** Looks at the size of every workspace's database and keeps a line a day for each account. */
export const measureUsage = defineJob({
  name: 'utilization.measure',
  payload: z.object({}),
  maxAttempts: 2,
  timeoutSeconds: 540,
  concurrency: 1,
  singleton: 'running',
  cron: { expression: '*/10 * * * *' },
})
