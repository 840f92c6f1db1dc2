import { defineJob } from '@trellis/jobs/define-job'
import * as z from 'zod/mini'

export const fillSample = defineJob({
  name: 'demo.fill-sample',
  payload: z.object({ workspace_id: z.number(), integration_code: z.string() }),
  maxAttempts: 5,
  timeoutSeconds: 120,
  backoff: { firstSeconds: 2, maxSeconds: 10 },
  concurrency: 1,
})

export const addFlow = defineJob({
  name: 'demo.add-flow',
  payload: z.object({ workspace_id: z.number() }),
  maxAttempts: 12,
  timeoutSeconds: 120,
  backoff: { firstSeconds: 2, maxSeconds: 15 },
  concurrency: 1,
})
