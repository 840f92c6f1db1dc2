import type { TokenScope } from '@trellis/contract/tokens/tokens.endpoints'
import type pg from 'pg'
import { hashToken } from '../modules/tokens/tokens.service.ts'
import { AppError } from '../platform/app-error.ts'
import type { Clock } from '../platform/clock.ts'
import type { Actor } from '../platform/ctx.ts'
import type { Tokens } from '../platform/tokens.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

interface PersonRow {
  profile_id: number
  trellis_user_code: string
  email: string
  first_name: string
  surname: string
}

const actorOf = (row: PersonRow, by: Pick<Actor, 'sessionId' | 'scopes'>): Actor => ({
  profileId: row.profile_id,
  userCode: row.trellis_user_code,
  email: row.email,
  firstName: row.first_name,
  surname: row.surname,
  ...by,
})

export interface AuthenticateDeps {
  pool: pg.Pool
  tokens: Tokens
  clock: Clock
}

/** The person behind a bearer token. The session is read each time: signing out holds from the next request on. */
export async function authenticate(authorization: string | undefined, deps: AuthenticateDeps): Promise<Actor> {
  const personal = /^Bearer (trl_pat_[\w-]{43})$/.exec(authorization ?? '')?.[1]
  if (personal) return await authenticateToken(personal, deps)
  const token = /^Bearer ([\w.-]{1,4096})$/.exec(authorization ?? '')?.[1]
  const claims = token ? await deps.tokens.verify(token, deps.clock.now()) : null
  if (!claims || !UUID.test(claims.sessionId)) throw new AppError('not_signed_in', 'Sign in to go on.')
  const { rows } = await deps.pool.query<PersonRow & { session_id: string }>({
    name: 'authenticate',
    text: `select s.id as session_id, p.id as profile_id, p.trellis_user_code, p.email, p.first_name, p.surname
             from sessions s join profiles p on p.id = s.profile_id
            where s.id = $1 and s.ended_at is null and s.expires_at > now() and p.trellis_user_code = $2`,
    values: [claims.sessionId, claims.userCode],
  })
  const row = rows[0]
  if (!row) throw new AppError('not_signed_in', 'This session has ended. Sign in again.')
  return actorOf(row, { sessionId: row.session_id, scopes: null })
}

/** Revoking or expiry holds from the next request on; when it was last used is noted once a minute at most. */
async function authenticateToken(secret: string, deps: AuthenticateDeps): Promise<Actor> {
  const { rows } = await deps.pool.query<PersonRow & { scopes: TokenScope[] }>({
    name: 'authenticate-token',
    text: `with token as (
             select t.id, t.profile_id, t.scopes, t.last_used_at from access_tokens t
              where t.secret_hash = $1 and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())),
           noted as (
             update access_tokens t set last_used_at = now() from token
              where t.id = token.id and (t.last_used_at is null or t.last_used_at < now() - interval '1 minute'))
           select p.id as profile_id, p.trellis_user_code, p.email, p.first_name, p.surname, token.scopes
             from token join profiles p on p.id = token.profile_id`,
    values: [hashToken(secret)],
  })
  const row = rows[0]
  if (!row) throw new AppError('not_signed_in', 'This token was revoked or has expired.')
  return actorOf(row, { sessionId: null, scopes: row.scopes })
}
