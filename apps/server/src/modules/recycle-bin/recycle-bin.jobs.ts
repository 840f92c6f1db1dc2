import { defineJob } from '@trellis/jobs/define-job'
import * as z from 'zod/mini'

/** Deleted tables and schemas whose days in the recycle bin are over. */
export const purgeRecycleBin = defineJob({
  name: 'explorer.purge-recycle-bin',
  payload: z.object({}),
  maxAttempts: 3,
  timeoutSeconds: 1800,
  concurrency: 1,
  cron: { expression: '47 * * * *' },
})
