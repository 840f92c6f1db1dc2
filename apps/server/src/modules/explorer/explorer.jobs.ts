import { defineJob } from '@trellis/jobs/define-job'
import * as z from 'zod/mini'

export const writeExport = defineJob({
  name: 'explorer.export',
  payload: z.object({ export_id: z.string() }),
  maxAttempts: 3,
  timeoutSeconds: 3700,
  backoff: { firstSeconds: 2, maxSeconds: 10 },
  concurrency: 3,
  perGroup: 2,
})

export const removeExpiredExports = defineJob({
  name: 'explorer.remove-expired-exports',
  payload: z.object({}),
  maxAttempts: 3,
  timeoutSeconds: 600,
  concurrency: 1,
  cron: { expression: '17 * * * *' },
})
