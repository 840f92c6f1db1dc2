import type { RateLimit } from '@trellis/contract/core/endpoint'
import type { Db } from '@trellis/control-db/database'
import { sql } from 'kysely'
import { AppError } from './app-error.ts'

/**
 * Counts in the database, so that the limit holds over every API process.
 * The window starts at a fixed grid: at worst twice the allowance passes around a border.
 */
export async function takeFromLimit(db: Db, key: string, [times, seconds]: readonly [number, number]): Promise<void> {
  const result = await sql<{ count: number; wait: number }>`
    insert into rate_limits (key, window_start, count)
    values (${key}, to_timestamp(floor(extract(epoch from now()) / ${seconds}) * ${seconds}), 1)
    on conflict (key, window_start) do update set count = rate_limits.count + 1
    returning count, ceil(extract(epoch from window_start) + ${seconds} - extract(epoch from now()))::int as wait`.execute(
    db,
  )
  const row = result.rows[0]
  if (row && row.count > times) {
    throw new AppError('too_many_requests', `Too many tries. Wait ${waitText(row.wait)} and try again.`, {
      retryAfterSeconds: row.wait,
    })
  }
}

export async function limitCall(
  db: Db,
  call: { id: string; limit: RateLimit; ip: string; email: string | undefined },
): Promise<void> {
  if (call.limit.ip) await takeFromLimit(db, `${call.id}|ip|${call.ip}`, call.limit.ip)
  if (call.limit.email && call.email)
    await takeFromLimit(db, `${call.id}|email|${call.email.toLowerCase()}`, call.limit.email)
}

export async function forgetOldLimits(db: Db): Promise<void> {
  await sql`delete from rate_limits where window_start < now() - interval '2 hours'`.execute(db)
}

function waitText(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}
