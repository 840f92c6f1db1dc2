import { defineJob } from '@trellis/jobs/define-job'
import * as z from 'zod/mini'

/** Accounts whose plan ended long ago: a notice by mail first, then the deletion that can be undone for seven days. */
export const deleteExpiredAccounts = defineJob({
  name: 'accounts.delete-expired',
  payload: z.object({}),
  maxAttempts: 3,
  timeoutSeconds: 600,
  concurrency: 1,
  singleton: 'running',
  cron: { expression: '25 * * * *' },
})

/** Accounts that were deleted more than seven days ago: their plans, workspaces and rows. */
export const removeGoneAccounts = defineJob({
  name: 'accounts.remove-gone',
  payload: z.object({}),
  maxAttempts: 3,
  timeoutSeconds: 600,
  concurrency: 1,
  singleton: 'running',
  cron: { expression: '5,15,25,35,45,55 * * * *' },
})
