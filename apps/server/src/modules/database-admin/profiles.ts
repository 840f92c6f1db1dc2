import type {
  DatabaseProfile,
  ProfileWithSecret,
  Secret,
} from '@trellis/contract/database-admin/database-admin.schemas'
import type { infer as Infer } from 'zod/mini'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { generateTrellisCode } from '../../platform/trellis-code.ts'
import { type OpenDatabase, openDatabase } from '../../platform/workspace-database/open-database.ts'
import { listWorkspaceMembers } from '../workspace-members/workspace-members.service.ts'
import { deleteProfile, insertProfile, type ProfileRow, type StoredAccess, updateProfile } from './access.repository.ts'
import { changeAccess, toCodes, getByCode, toIds, loadStored, createUniqueSlug } from './access-state.ts'
import { refreshFirewall } from './firewall-state.ts'
import { chooseLoginName, withFreeName } from './logins/login-name.ts'
import { getConnectionLimit, createLogin, readExpiry, showLogins } from './logins/logins.ts'

type People = Awaited<ReturnType<typeof listWorkspaceMembers>>

const membersOnly = (storedAccess: StoredAccess) => storedAccess.profiles.filter((profile) => profile.kind === 'member')
const findPerson = (people: People, profile: ProfileRow) =>
  people.find((person) => person.profile.id === profile.profile_id)

function toProfile(
  profile: ProfileRow,
  { stored, database, people }: { stored: StoredAccess; database: OpenDatabase; people: People },
): DatabaseProfile {
  const person = findPerson(people, profile)
  return {
    profile_trellis_code: profile.trellis_code,
    name: person ? `${person.profile.first_name} ${person.profile.surname}`.trim() : 'Left the workspace',
    email: person?.profile.email ?? '',
    trellis_user_code: person?.profile.trellis_user_code ?? '',
    workspace_role: person?.role ?? null,
    has_external_access: profile.logins.length > 0,
    role_trellis_codes: toCodes(stored.roles, profile.role_ids),
    group_trellis_codes: toCodes(stored.groups, profile.group_ids),
    logins: showLogins(database, profile),
    connection_limit: profile.connection_limit,
    created_at: profile.created_at.toISOString(),
  }
}

export async function listDatabaseProfiles(ctx: WorkspaceCtx, code: string): Promise<DatabaseProfile[]> {
  const database = await openDatabase(ctx, code)
  const storedAccess = await loadStored(ctx, database)
  const people = await listWorkspaceMembers(ctx)
  return membersOnly(storedAccess).map((profile) => toProfile(profile, { stored: storedAccess, database, people }))
}

export async function getDatabaseProfile(
  ctx: WorkspaceCtx,
  code: string,
  profileCode: string,
): Promise<DatabaseProfile> {
  const profile = (await listDatabaseProfiles(ctx, code)).find(
    (databaseProfile) => databaseProfile.profile_trellis_code === profileCode,
  )
  if (!profile) throw new AppError('not_found', 'There is no such profile.')
  return profile
}

interface ProfileBody {
  readonly integration_trellis_code: string
  readonly role_trellis_codes: readonly string[]
  readonly group_trellis_codes: readonly string[]
}

export async function createDatabaseProfile(
  ctx: WorkspaceCtx,
  body: ProfileBody & { trellis_user_code: string },
): Promise<DatabaseProfile> {
  const people = await listWorkspaceMembers(ctx)
  const person = people.find((candidate) => candidate.profile.trellis_user_code === body.trellis_user_code)
  const code = generateTrellisCode()
  await changeAccess(ctx, body.integration_trellis_code, async (ctx, database, storedAccess) => {
    if (!person) throw new AppError('not_found', 'This person is not a member of the workspace.')
    const profile_id = person.profile.id
    if (storedAccess.profiles.some((profile) => profile.profile_id === profile_id))
      throw new AppError('conflict', 'This person has a profile in the database already.')
    const role_ids = toIds(storedAccess.roles, body.role_trellis_codes, 'role')
    const group_ids = toIds(storedAccess.groups, body.group_trellis_codes, 'group')
    await insertProfile(ctx, database, {
      trellis_code: code,
      slug: createUniqueSlug(`member ${body.trellis_user_code}`, storedAccess.profiles),
      kind: 'member',
      profile_id,
      name: null,
      description: '',
      role_ids,
      group_ids,
      login_name: null,
      logins: [],
      connection_limit: getConnectionLimit(storedAccess, undefined, { role_ids, group_ids }),
      expires_at: null,
    })
    return { result: undefined }
  })
  return await getDatabaseProfile(ctx, body.integration_trellis_code, code)
}

export async function updateDatabaseProfile(
  ctx: WorkspaceCtx,
  body: ProfileBody & { profile_trellis_code: string },
): Promise<DatabaseProfile> {
  await changeAccess(ctx, body.integration_trellis_code, async (ctx, _database, storedAccess) => {
    const { id } = getByCode(membersOnly(storedAccess), body.profile_trellis_code, 'profile')
    await updateProfile(ctx, id, {
      role_ids: toIds(storedAccess.roles, body.role_trellis_codes, 'role'),
      group_ids: toIds(storedAccess.groups, body.group_trellis_codes, 'group'),
    })
    return { result: undefined }
  })
  return await getDatabaseProfile(ctx, body.integration_trellis_code, body.profile_trellis_code)
}

interface AccessBody {
  readonly integration_trellis_code: string
  readonly profile_trellis_code: string
  readonly has_external_access: boolean
  readonly expires_at?: string | null | undefined
  readonly connection_limit?: number | undefined
  readonly login_name?: string | undefined
}

/** Granting access creates a login, whose password is shown once; revoking it terminates sessions. */
export async function setExternalAccess(ctx: WorkspaceCtx, body: AccessBody): Promise<Infer<typeof ProfileWithSecret>> {
  const people = await listWorkspaceMembers(ctx)
  const { integration_trellis_code: code, profile_trellis_code } = body
  const change: Parameters<typeof changeAccess<Infer<typeof Secret> | null>>[2] = async (
    ctx,
    database,
    storedAccess,
  ) => {
    const profile = getByCode(membersOnly(storedAccess), profile_trellis_code, 'profile')
    if (!body.has_external_access) {
      await updateProfile(ctx, profile.id, { logins: [], expires_at: null })
      return { result: null }
    }
    const person = findPerson(people, profile)
    if (!person) throw new AppError('conflict', 'This person has left the workspace.')
    const now = ctx.clock.now()
    const expires_at = body.expires_at === undefined ? profile.expires_at : readExpiry(body.expires_at, now)
    const connection_limit = body.connection_limit ?? profile.connection_limit
    if (profile.logins.length > 0) {
      await updateProfile(ctx, profile.id, { expires_at, connection_limit })
      return { result: null }
    }
    const naming = { ...profile, name: person.profile.first_name, stored: storedAccess, given: body.login_name }
    const login_name = await chooseLoginName(ctx, database, naming)
    const createdLogin = await createLogin(ctx, database, { ...profile, login_name, expires_at })
    await updateProfile(ctx, profile.id, { expires_at, connection_limit, login_name, logins: [createdLogin.login] })
    return { result: createdLogin.secret, verifiers: createdLogin.verifiers }
  }
  const secret = await withFreeName(body.login_name, () => changeAccess(ctx, code, change))
  if (secret) await refreshFirewall(ctx, await openDatabase(ctx, code))
  return { profile: await getDatabaseProfile(ctx, code, profile_trellis_code), secret }
}

export async function deleteDatabaseProfile(
  ctx: WorkspaceCtx,
  code: string,
  profileCode: string,
): Promise<{ done: true }> {
  await changeAccess(ctx, code, async (ctx, _database, storedAccess) => {
    await deleteProfile(ctx, getByCode(membersOnly(storedAccess), profileCode, 'profile').id)
    return { result: undefined }
  })
  await refreshFirewall(ctx, await openDatabase(ctx, code))
  return { done: true }
}
