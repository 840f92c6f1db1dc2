import { defineJob } from '@trellis/jobs/define-job'
import * as z from 'zod/mini'

export const removeDeletedProjects = defineJob({
  name: 'worksheets.remove-deleted-projects',
  payload: z.object({}),
  maxAttempts: 3,
  timeoutSeconds: 600,
  concurrency: 1,
  singleton: 'running',
  cron: { expression: '20 * * * *' },
})
