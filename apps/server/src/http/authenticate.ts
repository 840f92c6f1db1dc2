import type pg from 'pg'
import { AppError } from '../platform/app-error.ts'
import type { Clock } from '../platform/clock.ts'
import type { Actor } from '../platform/ctx.ts'
import type { Tokens } from '../platform/tokens.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

interface Row {
  session_id: string
  profile_id: number
  trellis_user_code: string
  email: string
  first_name: string
  surname: string
}

export interface AuthenticateDeps {
  pool: pg.Pool
  tokens: Tokens
  clock: Clock
}

/** The person behind a bearer token. The session is read each time: signing out holds from the next request on. */
export async function authenticate(authorization: string | undefined, deps: AuthenticateDeps): Promise<Actor> {
  const token = /^Bearer ([\w.-]{1,4096})$/.exec(authorization ?? '')?.[1]
  const claims = token ? await deps.tokens.verify(token, deps.clock.now()) : null
  if (!claims || !UUID.test(claims.sessionId)) throw new AppError('not_signed_in', 'Sign in to go on.')
  const { rows } = await deps.pool.query<Row>({
    name: 'authenticate',
    text: `select s.id as session_id, p.id as profile_id, p.trellis_user_code, p.email, p.first_name, p.surname
             from sessions s join profiles p on p.id = s.profile_id
            where s.id = $1 and s.ended_at is null and s.expires_at > now() and p.trellis_user_code = $2`,
    values: [claims.sessionId, claims.userCode],
  })
  const row = rows[0]
  if (!row) throw new AppError('not_signed_in', 'This session has ended. Sign in again.')
  return {
    profileId: row.profile_id,
    userCode: row.trellis_user_code,
    email: row.email,
    firstName: row.first_name,
    surname: row.surname,
    sessionId: row.session_id,
  }
}
