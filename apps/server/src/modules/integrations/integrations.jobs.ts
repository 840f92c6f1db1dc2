import { defineJob } from '@trellis/jobs/define-job'
import * as z from 'zod/mini'

/** Longer than the check's own timeout, which reports why it ended. */
export const CHECK_SECONDS = 60

export const validateIntegration = defineJob({
  name: 'integrations.validate',
  payload: z.object({ integration_id: z.int(), number: z.int() }),
  maxAttempts: 3,
  timeoutSeconds: CHECK_SECONDS + 30,
  backoff: { firstSeconds: 1, maxSeconds: 5 },
  concurrency: 4,
  perGroup: 2,
})

export const clearIntegrations = defineJob({
  name: 'integrations.clear',
  payload: z.object({}),
  maxAttempts: 2,
  timeoutSeconds: 60,
  concurrency: 1,
  cron: { expression: '* * * * *' },
})
