import * as z from 'zod/mini'
import { Instant } from '../core/shapes.ts'

/** A session that stays open for one worksheet and person until commit or rollback. */
export const SqlTransaction = z.object({
  transaction_id: z.string(),
  file_id: z.string(),
  integration_trellis_code: z.string(),
  status: z.enum(['open', 'committed', 'rolled_back']),
  /** Why it was rolled back; null while open and after a commit. */
  reason: z.nullable(z.enum(['asked', 'idle', 'time', 'role_changed', 'cancelled', 'stopped', 'lost', 'failed'])),
  problem: z.nullable(z.string()),
  is_failed: z.boolean(),
  is_running: z.boolean(),
  row_limit: z.int(),
  timeout_seconds: z.int(),
  started_at: Instant,
  /** Idle timeout: rolled back then, unless another statement runs. */
  idle_ends_at: Instant,
  /** Rolled back then in any case. */
  ends_at: Instant,
  ended_at: z.nullable(Instant),
})
export type SqlTransaction = z.infer<typeof SqlTransaction>

/** The open one, or the last that ended within an hour. */
export const LastTransaction = z.object({ transaction: z.nullable(SqlTransaction) })
export type LastTransaction = z.infer<typeof LastTransaction>

export const EndTransaction = z.object({ action: z.enum(['commit', 'rollback']) })
export type EndTransaction = z.infer<typeof EndTransaction>
