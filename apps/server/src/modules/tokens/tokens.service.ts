import { createHash, randomBytes } from 'node:crypto'
import type { AccessToken, TokenScope } from '@trellis/contract/tokens/tokens.endpoints'
import { transaction } from '@trellis/control-db/database'
import { AppError } from '../../platform/app-error.ts'
import type { ProfileCtx, SystemCtx } from '../../platform/ctx.ts'
import { lockLimit } from '../../platform/limit-lock.ts'
import { countTokens, findTokens, insertToken, revokeAllTokens, revokeToken } from './tokens.repository.ts'

const MAX_TOKENS = 50

/** The prefix is for secret scanners; the rest is 256 random bits, stored as a hash. */
const TOKEN_PREFIX = 'trl_pat_'
export const hashToken = (secret: string) => createHash('sha256').update(secret).digest()

export async function listAccessTokens(ctx: ProfileCtx): Promise<AccessToken[]> {
  return await findTokens(ctx, ctx.actor.profileId)
}

export async function createAccessToken(
  ctx: ProfileCtx,
  body: { name: string; scopes: TokenScope[]; days: number | null },
) {
  return await transaction(ctx, async (ctx) => await issueToken(ctx, ctx.actor.profileId, { ...body, resource: null }))
}

interface NewToken {
  readonly name: string
  readonly scopes: readonly TokenScope[]
  readonly days: number | null
  readonly resource: string | null
}

/** In a transaction: the limit is checked under a lock. */
export async function issueToken(
  ctx: Pick<SystemCtx, 'db' | 'clock'>,
  profileId: number,
  { name, scopes, days, resource }: NewToken,
) {
  const secret = `${TOKEN_PREFIX}${randomBytes(32).toString('base64url')}`
  await lockLimit(ctx, 'tokens', profileId)
  if ((await countTokens(ctx, profileId)) >= MAX_TOKENS) {
    throw new AppError('limit_reached', `At most ${MAX_TOKENS} tokens at a time. Revoke one you no longer use.`)
  }
  const token = await insertToken(ctx, {
    profile_id: profileId,
    name,
    prefix: secret.slice(0, TOKEN_PREFIX.length + 4),
    secret_hash: hashToken(secret),
    scopes: [...new Set(scopes)],
    expires_at: days === null ? null : new Date(ctx.clock.now().getTime() + days * 86_400_000),
    resource,
  })
  return { ...token, secret }
}

export async function revokeProfileTokens(ctx: Pick<SystemCtx, 'db'>, profileId: number): Promise<void> {
  await revokeAllTokens(ctx, profileId)
}

export async function revokeAccessToken(ctx: ProfileCtx, id: number): Promise<{ done: true }> {
  if (!(await revokeToken(ctx, { id, profileId: ctx.actor.profileId })))
    throw new AppError('not_found', 'This token was revoked already.')
  return { done: true }
}
