import { createHmac } from 'node:crypto'
import type { Endpoint } from '@trellis/contract/core/endpoint'
import { type AnyDb, platformTables, transaction } from '@trellis/control-db/database'
import { AppError } from './app-error.ts'
import type { Ports } from './ports.ts'

type KeyedCtx = { readonly db: AnyDb; readonly ports: Pick<Ports, 'pepper' | 'secrets'> }

/** Requests may contain passwords and responses secrets: stored as keyed hash and sealed. */
const PLACE = { scope: 'system', field: 'idempotency_keys.response' }

interface KeyedCall {
  endpoint: Pick<Endpoint, 'id'>
  key: string
  actor: string
  input: unknown
}

interface Answer {
  status: number
  body: unknown
  isReplay: boolean
}

export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw new AppError(
      'idempotency_key_invalid',
      'Idempotency-Key must be 1 to 255 visible characters without spaces.',
      {
        source: { header: 'Idempotency-Key' },
      },
    )
  }
  return header
}

/**
 * Work and stored response commit together. A concurrent duplicate waits for the row lock and gets the first response.
 */
export async function runOncePerKey<C extends KeyedCtx>(
  ctx: C,
  call: KeyedCall,
  work: (ctx: C) => Promise<{ status: number; body: unknown }>,
): Promise<Answer> {
  const bodyHash = createHmac('sha256', ctx.ports.pepper)
    .update(JSON.stringify(call.input) ?? '')
    .digest()
  return await transaction(ctx, async (open) => {
    const db = platformTables(open)
    const row = { actor: call.actor, endpoint: call.endpoint.id, key: call.key }
    const inserted = await db
      .insertInto('idempotency_keys')
      .values({ ...row, body_hash: bodyHash })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (!inserted.numInsertedOrUpdatedRows) return await replayResponse(open, row, bodyHash)
    const answer = await work(open)
    await db
      .updateTable('idempotency_keys')
      .set({ status: answer.status, response: await ctx.ports.secrets.seal(open, PLACE, JSON.stringify(answer.body)) })
      .where('actor', '=', row.actor)
      .where('endpoint', '=', row.endpoint)
      .where('key', '=', row.key)
      .execute()
    return { ...answer, isReplay: false }
  })
}

async function replayResponse(
  ctx: KeyedCtx,
  row: { actor: string; endpoint: string; key: string },
  bodyHash: Buffer,
): Promise<Answer> {
  const kept = await platformTables(ctx)
    .selectFrom('idempotency_keys')
    .select(['body_hash', 'status', 'response'])
    .where('actor', '=', row.actor)
    .where('endpoint', '=', row.endpoint)
    .where('key', '=', row.key)
    .executeTakeFirst()
  if (!kept || kept.status === null)
    throw new AppError('conflict', 'The first request with this Idempotency-Key is still at work.')
  if (!kept.body_hash.equals(bodyHash)) {
    throw new AppError('idempotency_key_reused', 'This Idempotency-Key was used with other content. Take a new key.', {
      source: { header: 'Idempotency-Key' },
    })
  }
  return {
    status: kept.status,
    body: JSON.parse(await ctx.ports.secrets.open(ctx, PLACE, kept.response ?? '')) as unknown,
    isReplay: true,
  }
}

export async function forgetOldKeys(ctx: { readonly db: AnyDb }, before: Date): Promise<void> {
  await platformTables(ctx).deleteFrom('idempotency_keys').where('created_at', '<', before).execute()
}
