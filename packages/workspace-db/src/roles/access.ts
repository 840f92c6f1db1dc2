import pg from 'pg'
import type { WorkspaceNames } from '../names.ts'
import type { TaggedSchema } from '../schemas/schema-roles.ts'
import {
  type LoginSuffix,
  toGroupRoleName,
  isBuiltIn,
  loginName,
  toProfileRoleName,
  buildRoleName,
} from './access-names.ts'
import { type TemplateGrant, findGrantedRole, isForAllSchemas, getStatementMinutes } from './templates.ts'

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
  const groupRoles = access.groups
    .filter((group) => profile.groups.includes(group.slug))
    .flatMap((group) => group.roles)
  return [...new Set([...profile.roles, ...groupRoles])]
}

export function listGrants(access: Access, profile: Pick<AccessProfile, 'roles' | 'groups'>): TemplateGrant[] {
  const heldRoles = new Set(listHeldRoles(access, profile))
  return access.roles.filter((role) => heldRoles.has(role.slug)).flatMap((role) => role.grants)
}

interface AccessScope {
  readonly names: WorkspaceNames
  readonly schemas: readonly TaggedSchema[]
  readonly isSuperuser: boolean
}

export function computeWantedAccess(access: Access, { names, schemas, isSuperuser }: AccessScope): WantedAccess {
  const tags = schemas.map((schema) => schema.tag)
  const hasSchema = ({ tag }: TemplateGrant) => tag === null || tags.includes(tag)
  const roleMemberships = access.roles.flatMap((role) =>
    role.grants
      .filter(hasSchema)
      .flatMap((grant) => findGrantedRole(names, grant) ?? [])
      .map((grantedRole) => [buildRoleName(names, role.slug), grantedRole] as const),
  )
  const memberships = [
    ...roleMemberships,
    ...access.groups.flatMap((group) =>
      group.roles.map((slug) => [toGroupRoleName(names, group.slug), buildRoleName(names, slug)] as const),
    ),
    ...access.profiles.flatMap((profile) => [
      ...profile.roles.map((slug) => [toProfileRoleName(names, profile.slug), buildRoleName(names, slug)] as const),
      ...profile.groups.map((slug) => [toProfileRoleName(names, profile.slug), toGroupRoleName(names, slug)] as const),
      [toProfileRoleName(names, profile.slug), names.guest] as const,
    ]),
  ]
  return {
    roles: [
      ...access.roles.map((role) => buildRoleName(names, role.slug)),
      ...access.groups.map((group) => toGroupRoleName(names, group.slug)),
      ...access.profiles.map((profile) => toProfileRoleName(names, profile.slug)),
    ],
    memberships: removeDuplicatePairs(memberships),
    makers: access.profiles.flatMap((profile) =>
      listAdminTags(access, profile, tags).map((tag) => [toProfileRoleName(names, profile.slug), tag] as const),
    ),
    logins: access.profiles.flatMap((profile) =>
      profile.logins.map((login) => ({
        name: loginName(names, profile, login.suffix),
        profile: toProfileRoleName(names, profile.slug),
        connectionLimit: profile.connectionLimit,
        validUntil: login.validUntil,
        settings: buildSessionSettings(access, profile, { names, schemas, isSuperuser }),
      })),
    ),
  }
}

function listAdminTags(access: Access, profile: AccessProfile, tags: readonly string[]): readonly string[] {
  if (listHeldRoles(access, profile).includes('rule')) return tags
  const adminGrants = listGrants(access, profile).filter((grant) => grant.template === 'admin')
  return tags.filter((tag) => adminGrants.some((grant) => grant.tag === tag))
}

/**
 * Sessions act as their profile, so that what they create outlives the login. They may change every setting except
 * temp_file_limit; the sweep enforces timeouts.
 */
function buildSessionSettings(access: Access, profile: AccessProfile, scope: AccessScope): string[] {
  const timeoutMinutes = getStatementMinutes(listGrants(access, profile).map((grant) => grant.template))
  return [
    `role=${toProfileRoleName(scope.names, profile.slug)}`,
    `statement_timeout=${timeoutMinutes}min`,
    `idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION}`,
    `search_path=${toSearchPath(listUsableSchemas(access, profile, scope.schemas))}`,
    ...(scope.isSuperuser ? [`temp_file_limit=${TEMP_FILE_LIMIT}`] : []),
  ]
}

function listUsableSchemas(access: Access, profile: AccessProfile, schemas: readonly TaggedSchema[]): string[] {
  const grants = listGrants(access, profile)
  const canUseAllSchemas =
    listHeldRoles(access, profile).some((slug) => isBuiltIn(slug)) ||
    grants.some((grant) => isForAllSchemas(grant.template))
  return schemas
    .filter(({ tag }) => canUseAllSchemas || grants.some((grant) => grant.tag === tag))
    .map(({ name }) => name)
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
