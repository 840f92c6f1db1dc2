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
