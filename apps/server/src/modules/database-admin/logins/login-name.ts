import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { listGrants, listHeldRoles } from '@trellis/workspace-db/roles/access'
import { type LoginSuffix, loginName, type NamedProfile } from '@trellis/workspace-db/roles/access-names'
import { findTakenNames } from '@trellis/workspace-db/roles/find-logins'
import { buildLoginName, isLoginName, isReservedName, toNumberedName } from '@trellis/workspace-db/roles/login-names'
import type { Template } from '@trellis/workspace-db/roles/templates'
import { toWorkspaceNames } from '@trellis/workspace-db/names'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import type { OpenDatabase } from '../../../platform/workspace-database/open-database.ts'
import type { ProfileRow, StoredAccess } from '../access.repository.ts'
import { toAccess } from '../access-state.ts'

export type NamedRow = Pick<ProfileRow, 'slug' | 'login_name'>

export const toNamed = ({ slug, login_name }: NamedRow): NamedProfile => ({ slug, loginName: login_name })

export const getLoginName = (key: string, profile: NamedRow, suffix: string): string =>
  loginName(toWorkspaceNames(key), toNamed(profile), suffix as LoginSuffix)

const BY_WEIGHT: readonly Template[] = ['admin', 'loader', 'writer', 'bi', 'analyst', 'reader']
const BUILT_IN = { rule: 'admin', write: 'writer', read: 'reader' } as const
const MAX_NUMBER = 200

export interface Naming extends Pick<ProfileRow, 'role_ids' | 'group_ids' | 'name'> {
  readonly stored: StoredAccess
  readonly login_name?: string | null
  readonly given?: string | undefined
}

function findTemplate({ stored, role_ids, group_ids }: Naming): string {
  const roleSlugs = new Map(stored.roles.map((role) => [role.id, role.slug]))
  const groupSlugs = new Map(stored.groups.map((group) => [group.id, group.slug]))
  const access = toAccess({ ...stored, profiles: [] })
  const held = {
    roles: role_ids.flatMap((id) => roleSlugs.get(id) ?? []),
    groups: group_ids.flatMap((id) => groupSlugs.get(id) ?? []),
  }
  const templates = new Set<string>([
    ...listGrants(access, held).map((grant) => grant.template),
    ...listHeldRoles(access, held).flatMap((slug) => BUILT_IN[slug as keyof typeof BUILT_IN] ?? []),
  ])
  return BY_WEIGHT.find((template) => templates.has(template)) ?? ''
}

export async function findFreeName(ctx: WorkspaceCtx, database: OpenDatabase, naming: Naming): Promise<string> {
  const base = buildLoginName([ctx.workspace.address, findTemplate(naming), naming.name ?? ''])
  const names = Array.from({ length: MAX_NUMBER }, (_, index) => toNumberedName(base, index + 1))
  const takenNames = await findTakenNames(database.cluster, names)
  const free = names.find((name) => !takenNames.has(name))
  if (free === undefined) throw new AppError('conflict', 'Choose a name for the login.', AT_NAME)
  return free
}

const TAKEN = 'This login name is taken. Choose another one.'
const AT_NAME = { source: { pointer: '/login_name' } }

export async function chooseLoginName(ctx: WorkspaceCtx, database: OpenDatabase, naming: Naming): Promise<string> {
  const name = naming.given ?? naming.login_name
  if (name === undefined || name === null) return await findFreeName(ctx, database, naming)
  if (!isLoginName(name)) {
    const detail = isReservedName(name)
      ? 'Names that begin like this belong to Trellis or to Postgres. Choose another one.'
      : 'Use lower-case letters, digits and single underscores.'
    throw new AppError('invalid_request', detail, AT_NAME)
  }
  const isTaken = (await findTakenNames(database.cluster, [name])).has(name)
  if (isTaken) throw new AppError('conflict', TAKEN, AT_NAME)
  return name
}

const DUPLICATE_STATES = new Set<unknown>(['42710', '23505'])
const MAX_ATTEMPTS = 5

function isDuplicate(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof WorkspaceDbError) return DUPLICATE_STATES.has(error.sqlState)
  const isLoginName = 'constraint' in error && error.constraint === 'database_profiles_login_name'
  return isLoginName || isDuplicate(error.cause)
}

/** Another workspace may take the name between check and use; generated names are retried. */
export async function withFreeName<T>(given: string | undefined, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isDuplicate(error)) throw error
      if (given === undefined && attempt < MAX_ATTEMPTS) continue
      throw new AppError('conflict', TAKEN, { ...AT_NAME, cause: error })
    }
  }
}
