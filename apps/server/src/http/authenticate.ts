import type { TokenScope } from '@trellis/contract/tokens/tokens.endpoints'
import type { FairConnection } from '@trellis/control-db/database'
import { hashToken } from '../modules/tokens/tokens.service.ts'
import { AppError } from '../platform/app-error.ts'
import type { Clock } from '../platform/clock.ts'
import type { Actor } from '../platform/ctx.ts'
import type { Tokens } from '../platform/tokens.ts'
import {
  WORKSPACE_COLUMNS,
  WORKSPACE_PLACE,
  type WorkspacePath,
  type WorkspaceRow,
  type WorkspaceMembership,
  toWorkspaceMembership,
} from './tenancy.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

interface PersonRow {
  profile_id: number
  trellis_user_code: string
  email: string
  first_name: string
  surname: string
}

const toActor = (row: PersonRow, by: Pick<Actor, 'sessionId' | 'scopes'>): Actor => ({
  profileId: row.profile_id,
  userCode: row.trellis_user_code,
  email: row.email,
  firstName: row.first_name,
  surname: row.surname,
  ...by,
})

export interface AuthenticateDeps {
  turn: FairConnection
  tokens: Tokens
  clock: Clock
  /** MCP server URL: an agent's token is valid for that only. */
  resource?: string
}

const PERSON_COLUMNS = 's.id as session_id, p.id as profile_id, p.trellis_user_code, p.email, p.first_name, p.surname'
const LIVE_SESSION = `s.id = $1 and s.ended_at is null and s.expires_at > now() and p.trellis_user_code = $2`

type SessionRow = PersonRow & { session_id: string }

/** Reads the session each time, so that signing out takes effect at once. */
export async function authenticate(authorization: string | undefined, deps: AuthenticateDeps): Promise<Actor> {
  const personal = readPersonalToken(authorization)
  if (personal) return await authenticateToken(personal, deps)
  const { rows } = await deps.turn.query<SessionRow>({
    name: 'authenticate',
    text: `select ${PERSON_COLUMNS} from sessions s join profiles p on p.id = s.profile_id where ${LIVE_SESSION}`,
    values: await readSessionClaims(authorization, deps),
  })
  return toSessionActor(rows[0])
}

export async function authenticateInWorkspace(
  authorization: string | undefined,
  deps: AuthenticateDeps,
  path: WorkspacePath,
): Promise<{ actor: Actor; membership?: WorkspaceMembership | 'none' }> {
  if (readPersonalToken(authorization)) return { actor: await authenticate(authorization, deps) }
  const claims = await readSessionClaims(authorization, deps)
  const { rows } = await deps.turn.query<SessionRow & (WorkspaceRow | { id: null })>({
    name: 'authenticate-in-workspace',
    text: `select ${PERSON_COLUMNS}, ${WORKSPACE_COLUMNS}
             from sessions s join profiles p on p.id = s.profile_id
             left join (${WORKSPACE_PLACE}) on m.profile_id = p.id and a.trellis_code = $3 and w.workspace_address = $4
            where ${LIVE_SESSION}`,
    values: [...claims, path.code, path.address],
  })
  const row = rows[0]
  const membership = row && row.id !== null ? toWorkspaceMembership(row) : undefined
  deps.turn.note(membership !== undefined)
  return { actor: toSessionActor(row), membership: membership ?? 'none' }
}

const readPersonalToken = (authorization: string | undefined) =>
  /^Bearer (trl_pat_[\w-]{43})$/.exec(authorization ?? '')?.[1]

async function readSessionClaims(
  authorization: string | undefined,
  { tokens, clock }: AuthenticateDeps,
): Promise<[sessionId: string, userCode: string]> {
  const token = /^Bearer ([\w.-]{1,4096})$/.exec(authorization ?? '')?.[1]
  const claims = token ? await tokens.verify(token, clock.now()) : null
  if (!claims || !UUID.test(claims.sessionId)) throw new AppError('not_signed_in', 'Sign in to continue.')
  return [claims.sessionId, claims.userCode]
}

function toSessionActor(row: SessionRow | undefined): Actor {
  if (!row) throw new AppError('not_signed_in', 'This session has ended. Sign in again.')
  return toActor(row, { sessionId: row.session_id, scopes: null })
}

/** Revocation takes effect at once; last use is recorded at most once a minute. */
async function authenticateToken(secret: string, deps: AuthenticateDeps): Promise<Actor> {
  const { rows } = await deps.turn.query<PersonRow & { scopes: TokenScope[]; resource: string | null }>({
    name: 'authenticate-token',
    text: `with token as (
             select t.id, t.profile_id, t.scopes, t.resource, t.last_used_at from access_tokens t
              where t.secret_hash = $1 and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())),
           noted as (
             update access_tokens t set last_used_at = now() from token
              where t.id = token.id and (t.last_used_at is null or t.last_used_at < now() - interval '1 minute'))
           select p.id as profile_id, p.trellis_user_code, p.email, p.first_name, p.surname, token.scopes, token.resource
             from token join profiles p on p.id = token.profile_id`,
    values: [hashToken(secret)],
  })
  const row = rows[0]
  if (!row) throw new AppError('not_signed_in', 'This token was revoked or has expired.')
  if (row.resource !== null && row.resource !== deps.resource) {
    throw new AppError('not_signed_in', 'This token was given to an agent for another address.')
  }
  return toActor(row, { sessionId: null, scopes: row.scopes })
}
