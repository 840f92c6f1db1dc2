import { defineJob } from '@trellis/jobs/define-job'
import * as z from 'zod/mini'

/** Ends what is over: firewall rules, logins, sessions, and access of people who left. */
export const sweepDatabaseAccess = defineJob({
  name: 'database-admin.sweep',
  payload: z.object({}),
  maxAttempts: 1,
  timeoutSeconds: 55,
  concurrency: 1,
  cron: { expression: '* * * * *' },
})

/** Gives tables to whom they belong where several may make them. */
export const keepDatabaseTables = defineJob({
  name: 'database-admin.keep-tables',
  payload: z.object({}),
  maxAttempts: 1,
  timeoutSeconds: 240,
  concurrency: 1,
  cron: { expression: '*/5 * * * *' },
})
