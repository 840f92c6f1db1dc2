import pg from 'pg'
import type { WorkspaceNames } from '../names.ts'
import type { TaggedSchema } from '../schemas/schema-roles.ts'
import { type LoginSuffix, groupName, isBuiltIn, loginName, profileName, roleName } from './access-names.ts'
import { type TemplateGrant, findGrantorName, isForAllSchemas, statementMinutes } from './templates.ts'

interface AccessRole {
  readonly slug: string
  readonly grants: readonly TemplateGrant[]
}
interface AccessGroup {
  readonly slug: string
  readonly roles: readonly string[]
}
interface AccessLogin {
  readonly suffix: LoginSuffix
  readonly validUntil: Date | null
}
export interface AccessProfile {
  readonly slug: string
  /** Null for logins older than custom names. */
  readonly loginName: string | null
  readonly roles: readonly string[]
  readonly groups: readonly string[]
  readonly connectionLimit: number
  readonly logins: readonly AccessLogin[]
}

export interface Access {
  readonly roles: readonly AccessRole[]
  readonly groups: readonly AccessGroup[]
  readonly profiles: readonly AccessProfile[]
}

export interface WantedLogin {
  readonly name: string
  readonly profile: string
  readonly connectionLimit: number
  readonly validUntil: Date | null
  readonly settings: readonly string[]
}
export interface WantedAccess {
  readonly roles: readonly string[]
  readonly logins: readonly WantedLogin[]
  readonly memberships: readonly (readonly [member: string, role: string])[]
  /** Profiles that may create tables, and the schemas' tags. */
  readonly makers: readonly (readonly [profile: string, tag: string])[]
}

const IDLE_IN_TRANSACTION = '10min'
const TEMP_FILE_LIMIT = '1GB'
/** Postgres resolves every unqualified name along the whole path. */
const MAX_SEARCH_PATH = 50

export function listHeldRoles(access: Access, profile: Pick<AccessProfile, 'roles' | 'groups'>): string[] {
  const inGroups = access.groups.filter((group) => profile.groups.includes(group.slug)).flatMap((group) => group.roles)
  return [...new Set([...profile.roles, ...inGroups])]
}

export function listGrants(access: Access, profile: Pick<AccessProfile, 'roles' | 'groups'>): TemplateGrant[] {
  const held = new Set(listHeldRoles(access, profile))
  return access.roles.filter((role) => held.has(role.slug)).flatMap((role) => role.grants)
}

interface AccessScope {
  readonly names: WorkspaceNames
  readonly schemas: readonly TaggedSchema[]
  readonly isSuperuser: boolean
}

export function computeWantedAccess(access: Access, { names, schemas, isSuperuser }: AccessScope): WantedAccess {
  const tags = schemas.map((schema) => schema.tag)
  const isThere = ({ tag }: TemplateGrant) => tag === null || tags.includes(tag)
  const roleMemberships = access.roles.flatMap((role) =>
    role.grants
      .filter(isThere)
      .flatMap((grant) => findGrantorName(names, grant) ?? [])
      .map((granted) => [roleName(names, role.slug), granted] as const),
  )
  const memberships = [
    ...roleMemberships,
    ...access.groups.flatMap((group) =>
      group.roles.map((slug) => [groupName(names, group.slug), roleName(names, slug)] as const),
    ),
    ...access.profiles.flatMap((profile) => [
      ...profile.roles.map((slug) => [profileName(names, profile.slug), roleName(names, slug)] as const),
      ...profile.groups.map((slug) => [profileName(names, profile.slug), groupName(names, slug)] as const),
      [profileName(names, profile.slug), names.guest] as const,
    ]),
  ]
  return {
    roles: [
      ...access.roles.map((role) => roleName(names, role.slug)),
      ...access.groups.map((group) => groupName(names, group.slug)),
      ...access.profiles.map((profile) => profileName(names, profile.slug)),
    ],
    memberships: removeDuplicatePairs(memberships),
    makers: access.profiles.flatMap((profile) =>
      listAdminTags(access, profile, tags).map((tag) => [profileName(names, profile.slug), tag] as const),
    ),
    logins: access.profiles.flatMap((profile) =>
      profile.logins.map((login) => ({
        name: loginName(names, profile, login.suffix),
        profile: profileName(names, profile.slug),
        connectionLimit: profile.connectionLimit,
        validUntil: login.validUntil,
        settings: loginSettings(access, profile, { names, schemas, isSuperuser }),
      })),
    ),
  }
}

function listAdminTags(access: Access, profile: AccessProfile, tags: readonly string[]): readonly string[] {
  if (listHeldRoles(access, profile).includes('rule')) return tags
  const admin = listGrants(access, profile).filter((grant) => grant.template === 'admin')
  return tags.filter((tag) => admin.some((grant) => grant.tag === tag))
}

/**
 * Sessions act as their profile, so that what they create outlives the login. They may change every setting except
 * temp_file_limit; the sweep enforces timeouts.
 */
function loginSettings(access: Access, profile: AccessProfile, scope: AccessScope): string[] {
  const minutes = statementMinutes(listGrants(access, profile).map((grant) => grant.template))
  return [
    `role=${profileName(scope.names, profile.slug)}`,
    `statement_timeout=${minutes}min`,
    `idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION}`,
    `search_path=${toSearchPath(listUsableSchemas(access, profile, scope.schemas))}`,
    ...(scope.isSuperuser ? [`temp_file_limit=${TEMP_FILE_LIMIT}`] : []),
  ]
}

function listUsableSchemas(access: Access, profile: AccessProfile, schemas: readonly TaggedSchema[]): string[] {
  const grants = listGrants(access, profile)
  const isEverywhere =
    listHeldRoles(access, profile).some((slug) => isBuiltIn(slug)) ||
    grants.some((grant) => isForAllSchemas(grant.template))
  return schemas.filter(({ tag }) => isEverywhere || grants.some((grant) => grant.tag === tag)).map(({ name }) => name)
}

/** Normalised, since Postgres omits unneeded quotes. */
const toSearchPath = (schemas: readonly string[]): string =>
  schemas.length === 0
    ? 'pg_catalog'
    : schemas
        .slice(0, MAX_SEARCH_PATH)
        .map((name) => pg.escapeIdentifier(name))
        .join(', ')

function removeDuplicatePairs(pairs: readonly (readonly [string, string])[]): (readonly [string, string])[] {
  return [...new Map(pairs.map((pair) => [pair.join(' '), pair])).values()]
}
