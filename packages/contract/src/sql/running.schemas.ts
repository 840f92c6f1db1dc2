import * as z from 'zod/mini'
import { Instant } from '../core/shapes.ts'

export const RunningQuery = z.object({
  /** Postgres backend pid; null while the query is queued. */
  pid: z.nullable(z.int()),
  /** A worksheet's query, an external tool, or Trellis itself: previews, exports, loads. */
  kind: z.enum(['worksheet', 'tool', 'platform']),
  job_id: z.nullable(z.string()),
  transaction_id: z.nullable(z.string()),
  integration_trellis_code: z.string(),
  person: z.nullable(z.string()),
  /** The tool's database login. */
  login: z.nullable(z.string()),
  application: z.nullable(z.string()),
  address: z.nullable(z.string()),
  state: z.enum(['queued', 'running', 'idle_in_transaction']),
  since: Instant,
  blocked_by: z.array(z.object({ pid: z.int(), who: z.string() })),
  query: z.string(),
  is_mine: z.boolean(),
})
export type RunningQuery = z.infer<typeof RunningQuery>

export const RunningQueries = z.object({ items: z.array(RunningQuery) })
export type RunningQueries = z.infer<typeof RunningQueries>

/** Exactly one: `job_id` for a worksheet's query, its transaction's id when idle, `pid` for other sessions. */
export const StopQuery = z.object({
  job_id: z.optional(z.uuid()),
  transaction_id: z.optional(z.uuid()),
  pid: z.optional(z.int().check(z.minimum(1))),
  /** Terminate the session, for a statement that ignores a cancel. */
  force: z._default(z.boolean(), false),
})
export type StopQuery = z.infer<typeof StopQuery>
