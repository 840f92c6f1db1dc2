import { defineJob } from '@trellis/jobs/define-job'
import * as z from 'zod/mini'

export const workEvent = defineJob({
  name: 'billing.work-event',
  payload: z.object({ event_id: z.string() }),
  maxAttempts: 8,
  timeoutSeconds: 120,
  concurrency: 2,
})

/** For a new account: events received before did not find it. */
export const syncCustomerLater = defineJob({
  name: 'billing.sync-customer',
  payload: z.object({ customer_id: z.string() }),
  maxAttempts: 8,
  timeoutSeconds: 120,
  concurrency: 1,
})

export const pollEvents = defineJob({
  name: 'billing.poll-events',
  payload: z.object({}),
  maxAttempts: 1,
  timeoutSeconds: 120,
  concurrency: 1,
  singleton: 'running',
  cron: { expression: '*/3 * * * *' },
})

export const reconcileBilling = defineJob({
  name: 'billing.reconcile',
  payload: z.object({}),
  maxAttempts: 3,
  timeoutSeconds: 3600,
  concurrency: 1,
  singleton: 'running',
  cron: { expression: '17 3 * * *' },
})

/** Shortly after a month begins (UTC); accounts that need the credits earlier get them on demand. */
export const grantMonths = defineJob({
  name: 'billing.grant-months',
  payload: z.object({}),
  maxAttempts: 5,
  timeoutSeconds: 1800,
  concurrency: 1,
  singleton: 'running',
  cron: { expression: '1 0 1 * *' },
})

export const updateProvider = defineJob({
  name: 'billing.update-provider',
  payload: z.object({ account_id: z.number() }),
  maxAttempts: 8,
  timeoutSeconds: 120,
  concurrency: 2,
})

export const retryProviderUpdates = defineJob({
  name: 'billing.retry-provider-updates',
  payload: z.object({}),
  maxAttempts: 1,
  timeoutSeconds: 120,
  concurrency: 1,
  singleton: 'running',
  cron: { expression: '*/5 * * * *' },
})

export const notifyLowCredits = defineJob({
  name: 'billing.notify-low-credits',
  payload: z.object({}),
  maxAttempts: 2,
  timeoutSeconds: 120,
  concurrency: 1,
  singleton: 'running',
  cron: { expression: '*/10 * * * *' },
})
