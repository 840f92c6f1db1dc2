import { defineJob } from '@trellis/jobs/define-job'
import * as z from 'zod/mini'

/** Keyed by the outbox row: one waiting job is enough, however often it is asked for. */
export const sendMail = defineJob({
  name: 'mail.send',
  payload: z.object({ id: z.number() }),
  maxAttempts: 10,
  timeoutSeconds: 90,
  concurrency: 4,
  singleton: 'queued',
})

/** Finds mails whose job was lost and clears away what is old. */
export const sweepMail = defineJob({
  name: 'mail.sweep',
  payload: z.object({}),
  maxAttempts: 2,
  timeoutSeconds: 120,
  concurrency: 1,
  cron: { expression: '*/5 * * * *' },
})
