import { defineJob } from '@trellis/jobs/define-job'
import * as z from 'zod/mini'

export const purgeRecycleBin = defineJob({
  name: 'explorer.purge-recycle-bin',
  payload: z.object({}),
  maxAttempts: 3,
  timeoutSeconds: 1800,
  concurrency: 1,
  cron: { expression: '47 * * * *' },
})
