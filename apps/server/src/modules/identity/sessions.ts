import { AppError } from '../../platform/app-error.ts'
import type { ProfileCtx, PublicCtx } from '../../platform/ctx.ts'
import { ACCESS_TOKEN_SECONDS } from '../../platform/tokens.ts'
import { randomUUID } from 'node:crypto'
import { transaction } from '@trellis/control-db/database'
import { writeSignIn } from '../audit/audit.service.ts'
import { hashSecret, isSameHash } from './codes.ts'
import { describeDevice } from './describe-device.ts'
import { createRefreshSecret, readRefreshSecret } from './refresh-secret.ts'
import type { ProfileRow } from './identity.repository.ts'
import { endSessions, findOpenSessions, insertSession, lockSession, rotateSession } from './sessions.repository.ts'

const REFRESH_COOKIE = 'trellis_refresh'
const REFRESH_PATH = '/auth/token'
const SESSION_DAYS = 30
/** Two tabs may refresh at once; the slower one sends a secret that was just rotated. */
const GRACE_SECONDS = 10

export async function openSession(ctx: PublicCtx, profile: ProfileRow) {
  const id = randomUUID()
  const secret = createRefreshSecret(ctx.ports.pepper, { sessionId: id, count: 0 })
  const session = await insertSession(ctx, {
    id,
    profile_id: profile.id,
    refresh_hash: hashSecret(secret),
    user_agent: ctx.http.userAgent,
    ip: ctx.http.ip,
    expires_at: new Date(ctx.clock.now().getTime() + SESSION_DAYS * 86_400_000),
  })
  return await tokenData(ctx, { userCode: profile.trellis_user_code, sessionId: session.id, secret })
}

async function tokenData(ctx: PublicCtx, about: { userCode: string; sessionId: string; secret: string | null }) {
  const token = {
    access_token: await ctx.ports.tokens.sign(about, ctx.clock.now()),
    token_type: 'Bearer' as const,
    expires_in: ACCESS_TOKEN_SECONDS,
  }
  if (about.secret === null) return token
  if (ctx.http.wantsRefreshInBody) return { ...token, refresh_token: about.secret }
  ctx.http.setCookie(REFRESH_COOKIE, about.secret, { path: REFRESH_PATH, maxAgeSeconds: SESSION_DAYS * 86_400 })
  return token
}

/** The secret is the proof, the email a cross-check. An expired bearer token must be of the same session. */
export async function refreshSession(ctx: PublicCtx, body: { email: string }) {
  const fromHeader = /^Refresh ([\w.-]{20,250})$/.exec(ctx.http.authorization ?? '')?.[1]
  const secret = fromHeader ?? ctx.http.cookie(REFRESH_COOKIE)
  const refused = () => new AppError('not_signed_in', 'This session has ended. Sign in again.')
  if (!secret) throw refused()
  const http = fromHeader === undefined ? ctx.http : { ...ctx.http, wantsRefreshInBody: true }
  const outcome = await transaction({ ...ctx, http }, async (ctx) => {
    const read = readRefreshSecret(ctx.ports.pepper, secret)
    const session = read && (await lockSession(ctx, read.sessionId))
    if (!session || session.email.toLowerCase() !== body.email.toLowerCase()) return null
    if (!(await isBearerOfSession(ctx, session.id, session.trellis_user_code))) return null
    const about = { userCode: session.trellis_user_code, sessionId: session.id }
    if (isSameHash(session.refresh_hash, hashSecret(secret))) {
      const count = session.refresh_count + 1
      const next = createRefreshSecret(ctx.ports.pepper, { sessionId: session.id, count })
      await rotateSession(ctx, session.id, { hash: hashSecret(next), count })
      return await tokenData(ctx, { ...about, secret: next })
    }
    const isLastOne = read.count === session.refresh_count - 1
    if (isLastOne && session.rotated_seconds_ago <= GRACE_SECONDS)
      return await tokenData(ctx, { ...about, secret: null })
    await endSessions(ctx, { profileId: session.profile_id, only: session.id, reason: 'refresh secret used twice' })
    await writeSignIn(ctx, {
      action: 'sessionRevoked',
      outcome: 'refused',
      profileId: session.profile_id,
      detail: { reason: 'refresh secret used twice', session: session.id },
      ip: ctx.http.ip,
      requestId: ctx.requestId,
    })
    return null
  })
  if (!outcome) throw refused()
  return outcome
}

async function isBearerOfSession(ctx: PublicCtx, sessionId: string, userCode: string): Promise<boolean> {
  const bearer = /^Bearer (.+)$/.exec(ctx.http.authorization ?? '')?.[1]
  if (!bearer) return true
  const claims = await ctx.ports.tokens.verifyExpired(bearer, ctx.clock.now())
  return claims?.sessionId === sessionId && claims.userCode === userCode
}

export async function logOut(ctx: ProfileCtx) {
  await endSessions(ctx, { profileId: ctx.actor.profileId, only: getSessionId(ctx), reason: 'signed out' })
  ctx.http.setCookie(REFRESH_COOKIE, null, { path: REFRESH_PATH })
  return { done: true as const }
}

export async function listOwnSessions(ctx: ProfileCtx) {
  const sessions = await findOpenSessions(ctx, ctx.actor.profileId)
  return sessions.map((session) => ({
    id: session.id,
    device: describeDevice(session.user_agent),
    ip: session.ip,
    created_at: session.created_at.toISOString(),
    last_used_at: session.last_used_at.toISOString(),
    is_current: session.id === ctx.actor.sessionId,
  }))
}

export async function endOwnSession(ctx: ProfileCtx, sessionId: string) {
  const ended = await endSessions(ctx, {
    profileId: ctx.actor.profileId,
    only: sessionId,
    reason: 'signed out from the list',
  })
  if (ended === 0) throw new AppError('not_found', 'This session has ended already.')
  return { done: true as const }
}

export async function endEveryOwnSession(ctx: ProfileCtx) {
  await endSessions(ctx, { profileId: ctx.actor.profileId, reason: 'signed out everywhere' })
  ctx.http.setCookie(REFRESH_COOKIE, null, { path: REFRESH_PATH })
  return { done: true as const }
}

/** Always set, since access tokens may not manage sessions. */
export function getSessionId(ctx: ProfileCtx): string {
  if (ctx.actor.sessionId === null)
    throw new AppError('forbidden', 'A personal access token can not do this. Sign in instead.')
  return ctx.actor.sessionId
}
