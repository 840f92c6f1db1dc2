import { defineJob } from '@trellis/jobs/define-job'
import * as z from 'zod/mini'

export const runUploadJob = defineJob({
  name: 'uploads.run',
  payload: z.object({ job_id: z.uuid() }),
  maxAttempts: 5,
  timeoutSeconds: 6 * 3600,
  backoff: { firstSeconds: 2, maxSeconds: 10 },
  concurrency: 3,
  perGroup: 2,
})

export const clearUploads = defineJob({
  name: 'uploads.clear',
  payload: z.object({}),
  maxAttempts: 2,
  timeoutSeconds: 600,
  concurrency: 1,
  cron: { expression: '*/5 * * * *' },
})
