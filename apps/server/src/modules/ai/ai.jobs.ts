import { defineJob } from '@trellis/jobs/define-job'
import * as z from 'zod/mini'

export const readDocument = defineJob({
  name: 'ai.read-document',
  payload: z.object({ document_id: z.int() }),
  maxAttempts: 3,
  timeoutSeconds: 300,
  backoff: { firstSeconds: 2, maxSeconds: 10 },
  concurrency: 2,
  perGroup: 1,
})

/** EXPLAINs verified questions again after columns of their tables changed. */
export const checkVerified = defineJob({
  name: 'ai.check-verified',
  payload: z.object({}),
  maxAttempts: 1,
  timeoutSeconds: 300,
  concurrency: 1,
  cron: { expression: '* * * * *' },
})

/** Less often, since each check connects to an external server. */
export const checkConnectedVerified = defineJob({
  name: 'ai.check-connected-verified',
  payload: z.object({}),
  maxAttempts: 1,
  timeoutSeconds: 600,
  concurrency: 1,
  cron: { expression: '*/15 * * * *' },
})

export const queueScheduled = defineJob({
  name: 'ai.queue-scheduled',
  payload: z.object({}),
  maxAttempts: 1,
  timeoutSeconds: 60,
  concurrency: 1,
  cron: { expression: '* * * * *' },
})

export const askScheduled = defineJob({
  name: 'ai.ask-scheduled',
  payload: z.object({ question_id: z.int() }),
  maxAttempts: 2,
  timeoutSeconds: 180,
  backoff: { firstSeconds: 5, maxSeconds: 30 },
  concurrency: 2,
  perGroup: 1,
})
