import type {
  ExternalProfile,
  ExternalProfileWithSecret,
} from '@trellis/contract/database-admin/database-admin.schemas'
import type { infer as Infer } from 'zod/mini'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { generateTrellisCode } from '../../platform/trellis-code.ts'
import { type OpenDatabase, openDatabase } from '../../platform/workspace-database/open-database.ts'
import { deleteProfile, insertProfile, type ProfileRow, type StoredAccess, updateProfile } from './access.repository.ts'
import {
  assertNameFree,
  changeAccess,
  toCodes,
  getByCode,
  toIds,
  loadStored,
  createUniqueSlug,
} from './access-state.ts'
import { getConnectionLimit, createLogin, readExpiry, showLogins } from './logins/logins.ts'
import { refreshFirewall } from './firewall-state.ts'
import { chooseLoginName, withFreeName } from './logins/login-name.ts'

type WithSecret = Infer<typeof ExternalProfileWithSecret>

export interface ExternalBody {
  readonly integration_trellis_code: string
  readonly name: string
  readonly description: string
  readonly role_trellis_codes: readonly string[]
  readonly group_trellis_codes: readonly string[]
  readonly expires_at: string | null
  readonly connection_limit?: number | undefined
  readonly login_name?: string | undefined
}

function toExternal(profile: ProfileRow, storedAccess: StoredAccess, database: OpenDatabase): ExternalProfile {
  return {
    profile_trellis_code: profile.trellis_code,
    name: profile.name ?? '',
    description: profile.description,
    role_trellis_codes: toCodes(storedAccess.roles, profile.role_ids),
    group_trellis_codes: toCodes(storedAccess.groups, profile.group_ids),
    logins: showLogins(database, profile),
    connection_limit: profile.connection_limit,
    expires_at: profile.expires_at?.toISOString() ?? null,
    last_seen_at: profile.last_seen_at?.toISOString() ?? null,
    created_at: profile.created_at.toISOString(),
  }
}

const externalOnly = (storedAccess: StoredAccess) =>
  storedAccess.profiles.filter((profile) => profile.kind === 'external')

export async function listExternalProfiles(ctx: WorkspaceCtx, code: string): Promise<ExternalProfile[]> {
  const database = await openDatabase(ctx, code)
  const storedAccess = await loadStored(ctx, database)
  return externalOnly(storedAccess).map((profile) => toExternal(profile, storedAccess, database))
}

export async function getExternalProfile(
  ctx: WorkspaceCtx,
  code: string,
  profileCode: string,
): Promise<ExternalProfile> {
  const profile = (await listExternalProfiles(ctx, code)).find(
    (externalProfile) => externalProfile.profile_trellis_code === profileCode,
  )
  if (!profile) throw new AppError('not_found', 'There is no such profile.')
  return profile
}

export function toExternalProfileValues(body: ExternalBody, storedAccess: StoredAccess, now: Date) {
  const role_ids = toIds(storedAccess.roles, body.role_trellis_codes, 'role')
  const group_ids = toIds(storedAccess.groups, body.group_trellis_codes, 'group')
  return {
    name: body.name,
    description: body.description,
    role_ids,
    group_ids,
    expires_at: readExpiry(body.expires_at, now),
    connection_limit: getConnectionLimit(storedAccess, body.connection_limit, { role_ids, group_ids }),
  }
}

export async function createExternalProfile(ctx: WorkspaceCtx, body: ExternalBody): Promise<WithSecret> {
  const code = generateTrellisCode()
  const make: Parameters<typeof changeAccess<WithSecret['secret']>>[2] = async (ctx, database, storedAccess) => {
    assertNameFree(externalOnly(storedAccess), { name: body.name, what: 'profile' })
    const now = ctx.clock.now()
    const values = toExternalProfileValues(body, storedAccess, now)
    const slug = createUniqueSlug(`external ${body.name}`, storedAccess.profiles)
    const { expires_at } = values
    const login_name = await chooseLoginName(ctx, database, { ...values, stored: storedAccess, given: body.login_name })
    const fresh = { trellis_code: code, slug, login_name, logins: [], expires_at }
    const { login, secret, verifiers } = await createLogin(ctx, database, fresh)
    const row = { ...values, trellis_code: code, slug, login_name, logins: [login] }
    await insertProfile(ctx, database, { ...row, kind: 'external', profile_id: null })
    return { result: secret, verifiers }
  }
  const secret = await withFreeName(body.login_name, () => changeAccess(ctx, body.integration_trellis_code, make))
  return { profile: await getExternalProfile(ctx, body.integration_trellis_code, code), secret }
}

export async function updateExternalProfile(
  ctx: WorkspaceCtx,
  body: ExternalBody & { profile_trellis_code: string },
): Promise<ExternalProfile> {
  await changeAccess(ctx, body.integration_trellis_code, async (ctx, _database, storedAccess) => {
    const profile = getByCode(externalOnly(storedAccess), body.profile_trellis_code, 'profile')
    assertNameFree(externalOnly(storedAccess), { id: profile.id, name: body.name, what: 'profile' })
    const limit = body.connection_limit ?? profile.connection_limit
    await updateProfile(
      ctx,
      profile.id,
      toExternalProfileValues({ ...body, connection_limit: limit }, storedAccess, ctx.clock.now()),
    )
    return { result: undefined }
  })
  return await getExternalProfile(ctx, body.integration_trellis_code, body.profile_trellis_code)
}

/** The newest password stays valid for the overlap; older ones end now. */
export async function rotateExternalProfile(
  ctx: WorkspaceCtx,
  body: { integration_trellis_code: string; profile_trellis_code: string; overlap_minutes: number },
): Promise<WithSecret> {
  const { integration_trellis_code: code, profile_trellis_code } = body
  const now = ctx.clock.now()
  const listCurrentLogins = (profile: ProfileRow) => profile.logins.filter((login) => login.ends_at === null)
  await changeAccess(ctx, code, async (ctx, _database, storedAccess) => {
    const profile = getByCode(externalOnly(storedAccess), profile_trellis_code, 'profile')
    await updateProfile(ctx, profile.id, { logins: listCurrentLogins(profile) })
    return { result: undefined }
  })
  const secret = await changeAccess(ctx, code, async (ctx, database, storedAccess) => {
    const profile = getByCode(externalOnly(storedAccess), profile_trellis_code, 'profile')
    const createdLogin = await createLogin(ctx, database, profile)
    const ends_at = new Date(now.getTime() + body.overlap_minutes * 60_000).toISOString()
    const old = body.overlap_minutes === 0 ? [] : listCurrentLogins(profile).map((login) => ({ ...login, ends_at }))
    await updateProfile(ctx, profile.id, { logins: [...old, createdLogin.login] })
    return { result: createdLogin.secret, verifiers: createdLogin.verifiers }
  })
  return { profile: await getExternalProfile(ctx, code, profile_trellis_code), secret }
}

export async function deleteExternalProfile(
  ctx: WorkspaceCtx,
  code: string,
  profileCode: string,
): Promise<{ done: true }> {
  await changeAccess(ctx, code, async (ctx, _database, storedAccess) => {
    await deleteProfile(ctx, getByCode(externalOnly(storedAccess), profileCode, 'profile').id)
    return { result: undefined }
  })
  await refreshFirewall(ctx, await openDatabase(ctx, code))
  return { done: true }
}
