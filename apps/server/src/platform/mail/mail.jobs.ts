import { defineJob } from '@trellis/jobs/define-job'
import * as z from 'zod/mini'

export const sendMail = defineJob({
  name: 'mail.send',
  payload: z.object({ id: z.number() }),
  maxAttempts: 10,
  timeoutSeconds: 90,
  concurrency: 4,
  singleton: 'queued',
})

export const sweepMail = defineJob({
  name: 'mail.sweep',
  payload: z.object({}),
  maxAttempts: 2,
  timeoutSeconds: 120,
  concurrency: 1,
  cron: { expression: '*/5 * * * *' },
})
