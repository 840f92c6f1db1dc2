import type { RateLimit } from '@trellis/contract/core/endpoint'
import type { Db } from '@trellis/control-db/database'
import ipaddr, { type IPv6 } from 'ipaddr.js'
import { sql } from 'kysely'
import { AppError } from './app-error.ts'

/** Counts in the database, for all API processes. Fixed windows: around a border up to twice the limit may pass. */
export async function consumeLimit(db: Db, key: string, [times, seconds]: readonly [number, number]): Promise<void> {
  const result = await sql<{ count: number; wait: number }>`
    insert into rate_limits (key, window_start, count)
    values (${key}, to_timestamp(floor(extract(epoch from now()) / ${seconds}) * ${seconds}), 1)
    on conflict (key, window_start) do update set count = rate_limits.count + 1
    returning count, ceil(extract(epoch from window_start) + ${seconds} - extract(epoch from now()))::int as wait`.execute(
    db,
  )
  const row = result.rows[0]
  if (row && row.count > times) {
    throw new AppError('too_many_requests', `Too many tries. Wait ${formatWait(row.wait)} and try again.`, {
      retryAfterSeconds: row.wait,
    })
  }
}

async function returnToLimit(db: Db, key: string, [, seconds]: readonly [number, number]): Promise<void> {
  await sql`update rate_limits set count = greatest(count - 1, 0)
    where key = ${key} and window_start = to_timestamp(floor(extract(epoch from now()) / ${seconds}) * ${seconds})`.execute(
    db,
  )
}

interface Guess {
  readonly key: string
  readonly limit: readonly [times: number, seconds: number]
}

/** Counts before checking, so that concurrent guesses cannot exceed the limit; a correct one is refunded. */
export async function tryGuess(db: Db, { key, limit }: Guess, judge: () => Promise<boolean>): Promise<boolean> {
  await consumeLimit(db, key, limit)
  const isRight = await judge()
  if (isRight) await returnToLimit(db, key, limit)
  return isRight
}

export const DEVICE_COOKIE = 'trellis_device_'

interface LimitedCall {
  id: string
  limit: RateLimit
  ip: string
}

interface LimitedEmail extends LimitedCall {
  email: string
  device?: string | undefined
}

/** Counts before validation. */
export async function limitAddress(db: Db, { id, limit, ip }: LimitedCall): Promise<void> {
  if (limit.ip) await consumeLimit(db, `${limit.name ?? id}|ip|${toNetworkPrefix(ip)}`, limit.ip)
}

/** Per IP first: an attacker elsewhere should not exhaust the owner's limit. */
function listEmailLimits({ id, limit, ip, email, device }: LimitedEmail): Guess[] {
  const key = `${limit.name ?? id}|email|${email.toLowerCase()}`
  if (device !== undefined && limit.knownDevice) return [{ key: `${key}|${device}`, limit: limit.knownDevice }]
  return [
    ...(limit.emailAndIp ? [{ key: `${key}|${toNetworkPrefix(ip)}`, limit: limit.emailAndIp }] : []),
    ...(limit.email ? [{ key, limit: limit.email }] : []),
  ]
}

export async function withinEmailLimit<T>(db: Db, call: LimitedEmail, work: () => Promise<T>): Promise<T> {
  const limits = listEmailLimits(call)
  for (const { key, limit } of limits) await consumeLimit(db, key, limit)
  const { failures } = call.limit
  if (!failures) return await work()
  const releaseCall = async () => {
    for (const { key, limit } of limits) await returnToLimit(db, key, limit)
  }
  try {
    const result = await work()
    await releaseCall()
    return result
  } catch (error) {
    if (!(error instanceof AppError && failures.includes(error.code))) await releaseCall()
    throw error
  }
}

/** An IPv6 client has a whole /64. */
export function toNetworkPrefix(ip: string): string {
  if (!ipaddr.isValid(ip)) return 'unknown'
  const address = ipaddr.process(ip)
  return address.kind() === 'ipv4' ? address.toString() : (address as IPv6).toByteArray().slice(0, 8).join('.')
}

export async function deleteOldLimits(db: Db): Promise<void> {
  await sql`delete from rate_limits where window_start < now() - interval '2 hours'`.execute(db)
}

function formatWait(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}
