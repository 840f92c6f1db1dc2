import { defineJob } from '@trellis/jobs/define-job'
import * as z from 'zod/mini'

export const sweepDatabaseAccess = defineJob({
  name: 'database-admin.sweep',
  payload: z.object({}),
  maxAttempts: 1,
  timeoutSeconds: 55,
  concurrency: 1,
  cron: { expression: '* * * * *' },
})

/** Sessions whose process, and so their timeout, is gone. */
export const endStrays = defineJob({
  name: 'database-admin.end-strays',
  payload: z.object({ olderThanMs: z.optional(z.int()), database: z.optional(z.string()) }),
  maxAttempts: 1,
  timeoutSeconds: 55,
  concurrency: 1,
  cron: { expression: '*/5 * * * *' },
})

export const keepDatabaseTables = defineJob({
  name: 'database-admin.keep-tables',
  payload: z.object({}),
  maxAttempts: 1,
  timeoutSeconds: 240,
  concurrency: 1,
  cron: { expression: '*/5 * * * *' },
})
