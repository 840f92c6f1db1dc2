import type { Secret } from '@trellis/contract/database-admin/database-admin.schemas'
import { generatePassword, buildScramVerifier } from '@trellis/workspace-db/provision/credentials'
import { listGrants } from '@trellis/workspace-db/roles/access'
import { LOGIN_SUFFIXES } from '@trellis/workspace-db/roles/access-names'
import { getDefaultConnections } from '@trellis/workspace-db/roles/templates'
import type { infer as Infer } from 'zod/mini'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import type { OpenDatabase } from '../../../platform/workspace-database/open-database.ts'
import type { ProfileRow, StoredAccess, StoredLogin } from '../access.repository.ts'
import { getLoginEnd, toAccess } from '../access-state.ts'
import { getLoginName } from './login-name.ts'
import { sealVerifier } from './login-verifiers.ts'

type SecretValue = Infer<typeof Secret>

export const showLogins = (database: OpenDatabase, profile: ProfileRow) =>
  profile.logins.map((login) => ({
    user_name: getLoginName(database.key, profile, login.suffix),
    expires_at: getLoginEnd(login, profile)?.toISOString() ?? null,
    ends_at: login.ends_at,
  }))

export interface NewLogin {
  readonly login: StoredLogin
  readonly secret: SecretValue
  readonly verifiers: Readonly<Record<string, string>>
}

/** Profiles alternate between two logins. The password is only in the response. */
export async function createLogin(
  ctx: WorkspaceCtx,
  database: OpenDatabase,
  profile: Pick<ProfileRow, 'trellis_code' | 'slug' | 'login_name' | 'logins' | 'expires_at'>,
): Promise<NewLogin> {
  const newest = profile.logins.toSorted((login, other) => other.made_at.localeCompare(login.made_at))[0]?.suffix
  const suffix = LOGIN_SUFFIXES.find((loginSuffix) => loginSuffix !== newest) ?? 'a'
  const user_name = getLoginName(database.key, profile, suffix)
  const password = generatePassword()
  const verifier = buildScramVerifier(password)
  const place = { workspaceId: database.workspaceId, profileCode: profile.trellis_code, suffix }
  const sealed = await sealVerifier(ctx, place, verifier)
  return {
    login: { suffix, ends_at: null, made_at: ctx.clock.now().toISOString(), verifier: sealed },
    secret: { user_name, password, expires_at: profile.expires_at?.toISOString() ?? null },
    verifiers: { [user_name]: verifier },
  }
}

export function readExpiry(value: string | null | undefined, now: Date): Date | null {
  if (value === null || value === undefined) return null
  const expires = new Date(value)
  if (expires > now) return expires
  throw new AppError('invalid_request', 'The end must lie in the future.', { source: { pointer: '/expires_at' } })
}

export function getConnectionLimit(
  storedAccess: StoredAccess,
  given: number | undefined,
  held: Pick<ProfileRow, 'role_ids' | 'group_ids'>,
): number {
  if (given !== undefined) return given
  const access = toAccess({ ...storedAccess, profiles: [{ ...EMPTY, ...held }] })
  const [profile] = access.profiles
  return getDefaultConnections(profile ? listGrants(access, profile).map((grant) => grant.template) : [])
}

const EMPTY: ProfileRow = {
  id: 0,
  trellis_code: '',
  slug: '00000000',
  kind: 'external',
  profile_id: null,
  name: null,
  description: '',
  role_ids: [],
  group_ids: [],
  login_name: null,
  logins: [],
  connection_limit: 1,
  expires_at: null,
  last_seen_at: null,
  created_at: new Date(0),
}
