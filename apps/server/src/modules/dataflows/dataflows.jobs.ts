import { defineJob } from '@trellis/jobs/define-job'
import * as z from 'zod/mini'

export const sendWebhook = defineJob({
  name: 'dataflows.send-webhook',
  payload: z.object({
    run_id: z.int(),
    kind: z.enum(['failure', 'recovery', 'later_than_usual', 'columns_changed', 'slot_dropped']),
    detail: z.optional(z.string()),
  }),
  maxAttempts: 8,
  timeoutSeconds: 30,
  backoff: { firstSeconds: 10, maxSeconds: 3600 },
  concurrency: 4,
})

export const watchRuns = defineJob({
  name: 'dataflows.watch-runs',
  payload: z.object({}),
  maxAttempts: 1,
  timeoutSeconds: 55,
  concurrency: 1,
  cron: { expression: '* * * * *' },
})

export const clearDataflows = defineJob({
  name: 'dataflows.clear',
  payload: z.object({}),
  maxAttempts: 2,
  timeoutSeconds: 300,
  concurrency: 1,
  cron: { expression: '17 3 * * *' },
})
