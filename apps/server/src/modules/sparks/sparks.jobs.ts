import { defineJob } from '@trellis/jobs/define-job'
import * as z from 'zod/mini'

export const queueSparkMails = defineJob({
  name: 'sparks.queue-mails',
  payload: z.object({}),
  maxAttempts: 1,
  timeoutSeconds: 60,
  concurrency: 1,
  cron: { expression: '* * * * *' },
})

export const mailSpark = defineJob({
  name: 'sparks.mail',
  payload: z.object({ schedule_id: z.int() }),
  maxAttempts: 2,
  timeoutSeconds: 180,
  backoff: { firstSeconds: 5, maxSeconds: 30 },
  concurrency: 2,
  perGroup: 1,
})

export const pruneSparkRows = defineJob({
  name: 'sparks.prune-rows',
  payload: z.object({}),
  maxAttempts: 1,
  timeoutSeconds: 120,
  concurrency: 1,
  cron: { expression: '17 * * * *' },
})

export const checkSparks = defineJob({
  name: 'sparks.check',
  payload: z.object({}),
  maxAttempts: 1,
  timeoutSeconds: 300,
  concurrency: 1,
  cron: { expression: '* * * * *' },
})
