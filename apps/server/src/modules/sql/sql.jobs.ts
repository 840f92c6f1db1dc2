import { defineJob } from '@trellis/jobs/define-job'
import * as z from 'zod/mini'

export const pruneSqlJobs = defineJob({
  name: 'sql.prune-jobs',
  payload: z.object({}),
  maxAttempts: 3,
  timeoutSeconds: 600,
  concurrency: 1,
  cron: { expression: '*/5 * * * *' },
})
