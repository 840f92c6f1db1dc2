import { defineJob } from '@trellis/jobs/define-job'
import * as z from 'zod/mini'

/** Warns by mail first; the deletion can be undone for seven days. */
export const deleteExpiredAccounts = defineJob({
  name: 'accounts.delete-expired',
  payload: z.object({}),
  maxAttempts: 3,
  timeoutSeconds: 600,
  concurrency: 1,
  singleton: 'running',
  cron: { expression: '25 * * * *' },
})

export const removeGoneAccounts = defineJob({
  name: 'accounts.remove-gone',
  payload: z.object({}),
  maxAttempts: 3,
  timeoutSeconds: 600,
  concurrency: 1,
  singleton: 'running',
  cron: { expression: '5,15,25,35,45,55 * * * *' },
})
