import { defineJob } from '@trellis/jobs/define-job'
import * as z from 'zod/mini'

export const measureUsage = defineJob({
  name: 'utilization.measure',
  payload: z.object({}),
  maxAttempts: 2,
  timeoutSeconds: 540,
  concurrency: 1,
  singleton: 'running',
  cron: { expression: '*/10 * * * *' },
})
