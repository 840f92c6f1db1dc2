import { defineJob } from '@trellis/jobs/define-job'
import * as z from 'zod/mini'

/** Text and passages of a document that was sent. */
export const readDocument = defineJob({
  name: 'ai.read-document',
  payload: z.object({ document_id: z.int() }),
  maxAttempts: 3,
  timeoutSeconds: 300,
  backoff: { firstSeconds: 2, maxSeconds: 10 },
  concurrency: 2,
  perGroup: 1,
})

/** Plans verified questions again where columns of their project's tables changed. */
export const checkVerified = defineJob({
  name: 'ai.check-verified',
  payload: z.object({}),
  maxAttempts: 1,
  timeoutSeconds: 300,
  concurrency: 1,
  cron: { expression: '* * * * *' },
})

/** The same for connected databases; less often, because each check opens a connection to somebody else's server. */
export const checkConnectedVerified = defineJob({
  name: 'ai.check-connected-verified',
  payload: z.object({}),
  maxAttempts: 1,
  timeoutSeconds: 600,
  concurrency: 1,
  cron: { expression: '*/15 * * * *' },
})

/** Hands out scheduled questions that are due. */
export const queueScheduled = defineJob({
  name: 'ai.queue-scheduled',
  payload: z.object({}),
  maxAttempts: 1,
  timeoutSeconds: 60,
  concurrency: 1,
  cron: { expression: '* * * * *' },
})

/** Asks one scheduled question and mails the answer. */
export const askScheduled = defineJob({
  name: 'ai.ask-scheduled',
  payload: z.object({ question_id: z.int() }),
  maxAttempts: 2,
  timeoutSeconds: 180,
  backoff: { firstSeconds: 5, maxSeconds: 30 },
  concurrency: 2,
  perGroup: 1,
})
