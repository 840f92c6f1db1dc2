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

/** Ends sessions of workspaces that lost the process with their timer; narrower when told so. */
export const endStrays = defineJob({
  name: 'database-admin.end-strays',
  payload: z.object({ olderThanMs: z.optional(z.int()), database: z.optional(z.string()) }),
  maxAttempts: 1,
  timeoutSeconds: 55,
  concurrency: 1,
  cron: { expression: '*/5 * * * *' },
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
