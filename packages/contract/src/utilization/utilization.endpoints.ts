import * as z from 'zod/mini'
import { defineEndpoint } from '../core/endpoint.ts'
import { AccountParams } from '../core/shapes.ts'

/** What an account used on one day, as measured at its end, or just now for today. */
export const UsageDay = z.object({
  day: z.iso.date(),
  users: z.int(),
  workspaces: z.int(),
  storage_bytes: z.int(),
  credits_spent: z.int(),
})
export type UsageDay = z.infer<typeof UsageDay>

const UsageDaysQuery = z.object({
  days: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(366)), 30),
})

export const listUsageDays = defineEndpoint({
  id: 'listUsageDays',
  feature: 'utilization',
  permission: 'usage:read',
  method: 'GET',
  path: '/account/:account_trellis_code/usage-days',
  summary: 'What the account used day by day, oldest first; days without a measurement are missing',
  params: AccountParams,
  query: UsageDaysQuery,
  response: z.array(UsageDay),
})

export const utilizationEndpoints = [listUsageDays]
