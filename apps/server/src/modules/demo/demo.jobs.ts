import { defineJob } from '@trellis/jobs/define-job'
import * as z from 'zod/mini'

/** Waits for the database of the new workspace, then fills it. */
export const fillSample = defineJob({
  name: 'demo.fill-sample',
  payload: z.object({ workspace_id: z.number(), integration_code: z.string() }),
  maxAttempts: 5,
  timeoutSeconds: 120,
  backoff: { firstSeconds: 2, maxSeconds: 10 },
  concurrency: 1,
})

/** Waits until the connections of the demo were found to work, then makes its dataflow and runs it once. */
export const addFlow = defineJob({
  name: 'demo.add-flow',
  payload: z.object({ workspace_id: z.number() }),
  maxAttempts: 12,
  timeoutSeconds: 120,
  backoff: { firstSeconds: 2, maxSeconds: 15 },
  concurrency: 1,
})
