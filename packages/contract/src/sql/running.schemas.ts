import * as z from 'zod/mini'
import { Instant } from '../core/shapes.ts'

export const RunningQuery = z.object({
  /** The server's number of the session; none while a query waits for its turn. */
  pid: z.nullable(z.int()),
  /** A worksheet's query, a tool that connected by itself, or Trellis at work: previews, exports, loads. */
  kind: z.enum(['worksheet', 'tool', 'platform']),
  job_id: z.nullable(z.string()),
  /** A worksheet's open transaction that runs no statement now. */
  transaction_id: z.nullable(z.string()),
  integration_trellis_code: z.string(),
  person: z.nullable(z.string()),
  /** The database login of a tool. */
  login: z.nullable(z.string()),
  application: z.nullable(z.string()),
  address: z.nullable(z.string()),
  state: z.enum(['queued', 'running', 'idle_in_transaction']),
  since: Instant,
  /** Sessions that keep a lock this one waits for. */
  blocked_by: z.array(z.object({ pid: z.int(), who: z.string() })),
  query: z.string(),
  is_mine: z.boolean(),
})
export type RunningQuery = z.infer<typeof RunningQuery>

export const RunningQueries = z.object({ items: z.array(RunningQuery) })
export type RunningQueries = z.infer<typeof RunningQueries>

/** One of them. A worksheet's query is named by its job, its idle transaction by its id, another session by its number. */
export const StopQuery = z.object({
  job_id: z.optional(z.uuid()),
  transaction_id: z.optional(z.uuid()),
  pid: z.optional(z.int().check(z.minimum(1))),
  /** Ends the session, for a statement that does not react to a cancel. */
  force: z._default(z.boolean(), false),
})
export type StopQuery = z.infer<typeof StopQuery>
