import { defineJob } from '@trellis/jobs/define-job'
import * as z from 'zod/mini'

export const sendDigests = defineJob({
  name: 'notifications.send-digests',
  payload: z.object({}),
  maxAttempts: 3,
  timeoutSeconds: 300,
  concurrency: 1,
  singleton: 'running',
  cron: { expression: '10 6 * * *' },
})
