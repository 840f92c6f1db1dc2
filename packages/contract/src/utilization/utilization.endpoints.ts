import * as z from 'zod/mini'
import { defineEndpoint } from '../core/endpoint.ts'
import { AccountParams, Instant, WorkspaceParams } from '../core/shapes.ts'

/** Measured at the end of the day, or just now for today. */
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

export const UsagePoint = z.object({
  at: Instant,
  storage_bytes: z.int(),
  rows_moved: z.int(),
  run_seconds: z.int(),
  queries: z.int(),
  credits_spent: z.int(),
})
export type UsagePoint = z.infer<typeof UsagePoint>

const TableSize = z.object({
  schema_name: z.string(),
  /** Null: all smaller tables of the schema together. */
  table_name: z.nullable(z.string()),
  bytes: z.int(),
  /** Null for a table created during the period. */
  bytes_before: z.nullable(z.int()),
})

export const WorkspaceUtilization = z.object({
  unit: z.enum(['hour', 'day']),
  /** Oldest first; hours without a measurement are missing. */
  points: z.array(UsagePoint),
  schemas: z.array(
    z.object({
      schema_name: z.string(),
      bytes: z.int(),
      points: z.array(z.object({ at: Instant, bytes: z.int() })),
    }),
  ),
  tables: z.array(TableSize),
  /** Everybody for workspace admins, otherwise only oneself. Queries of the last 90 days at most. */
  people: z.array(z.object({ name: z.string(), queries: z.int(), credits_spent: z.int() })),
  projects: z.array(z.object({ name: z.string(), credits_spent: z.int() })),
  /** All workspaces of the account, which share the plan's limit. */
  storage: z.object({
    used_bytes: z.int(),
    limit_bytes: z.nullable(z.int()),
    /** Null before a full day of measurements. `full_on` is null without growth, or beyond ten years. */
    forecast: z.nullable(z.object({ bytes_per_day: z.int(), full_on: z.nullable(z.iso.date()) })),
  }),
})
export type WorkspaceUtilization = z.infer<typeof WorkspaceUtilization>

export const getWorkspaceUtilization = defineEndpoint({
  id: 'getWorkspaceUtilization',
  feature: 'utilization',
  permission: 'workspace:read',
  method: 'GET',
  path: '/:account_trellis_code/:workspace_address/utilization',
  summary: 'What a workspace used over time: storage by schema and table, rows, runs, queries and credits',
  params: WorkspaceParams,
  query: UsageDaysQuery,
  response: WorkspaceUtilization,
})

export const utilizationEndpoints = [listUsageDays, getWorkspaceUtilization]
