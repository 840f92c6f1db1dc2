import pg from 'pg'
import type { WorkspaceNames } from '../names.ts'
import { buildOwnershipStatements } from '../schemas/make-role.ts'
import { buildMakerStatements, getSchemaRoles } from '../schemas/schema-roles.ts'
import { type Access, type WantedAccess, type WantedLogin, computeWantedAccess } from './access.ts'
import { EXTERNAL } from './access-names.ts'
import type { ActualAccess, ActualRole, OwnedObject } from './read-access.ts'
import { haveSameSettings, splitSetting } from './role-settings.ts'

export const HIDDEN_PASSWORD = '********'

export interface PlannedStatement {
  readonly text: string
  readonly passwordFor?: string
  /** Sessions of this profile could hold locks that block the change. */
  readonly losing?: string
  readonly drops?: string
}

interface AccessScope {
  readonly names: WorkspaceNames
  readonly isSuperuser: boolean
}

export function planAccess(access: Access, actual: ActualAccess, scope: AccessScope): PlannedStatement[] {
  const wantedAccess = computeWantedAccess(access, { ...scope, schemas: actual.schemas })
  const presentRoles = new Map(actual.roles.map((role) => [role.name, role]))
  const logins = new Set(actual.roles.filter((role) => role.isExternal).map((role) => role.name))
  const named = new RegExp(`^${scope.names.database}_[rgp]_`)
  const isOurs = (name: string) => named.test(name) || logins.has(name)
  const kept = new Set([...wantedAccess.roles, ...wantedAccess.logins.map((login) => login.name)])
  const extra = actual.roles.filter((role) => isOurs(role.name) && !kept.has(role.name))
  return [
    ...wantedAccess.roles.filter((name) => !presentRoles.has(name)).flatMap((name) => planNewRole(name, scope)),
    ...planMemberships(wantedAccess, actual, isOurs),
    ...planMakers(wantedAccess, actual, scope.names),
    ...planDemoted(wantedAccess, actual, scope.names),
    ...wantedAccess.logins.flatMap((login) => planLogin(login, presentRoles.get(login.name), scope)),
    ...extra.filter((role) => role.isExternal).flatMap((role) => dropRole(role.name)),
    ...extra
      .filter((role) => !role.isExternal)
      .flatMap((role) => [...planReassignment(role.name, actual, scope.names), ...dropRole(role.name)]),
  ]
}

const toStatement = (text: string): PlannedStatement => ({ text })

const planNewRole = (name: string, { isSuperuser }: AccessScope): PlannedStatement[] =>
  [`create role ${name} nologin noinherit`, ...buildOwnershipStatements({ isSuperuser }, name)].map((text) =>
    toStatement(text),
  )

function planMemberships(
  wantedAccess: WantedAccess,
  actual: ActualAccess,
  isOurs: (name: string) => boolean,
): PlannedStatement[] {
  const key = (member: string, role: string) => `${member} ${role}`
  const have = new Set(
    actual.memberships
      .filter((membership) => membership.inherits)
      .map((membership) => key(membership.member, membership.role)),
  )
  const want = new Set(wantedAccess.memberships.map(([member, role]) => key(member, role)))
  const keptRoles = new Set(wantedAccess.roles)
  return [
    ...wantedAccess.memberships
      .filter(([member, role]) => !have.has(key(member, role)))
      .map(([member, role]) => toStatement(`grant ${role} to ${member} with inherit true, set false`)),
    ...actual.memberships
      .filter(({ member, role }) => isOurs(member) && keptRoles.has(member) && !want.has(key(member, role)))
      .map(({ member, role }) => toStatement(`revoke ${pg.escapeIdentifier(role)} from ${member}`)),
  ]
}

/** The data owner becomes a member, otherwise the product could not alter their tables. */
function planMakers(wantedAccess: WantedAccess, actual: ActualAccess, names: WorkspaceNames): PlannedStatement[] {
  const have = new Set(
    actual.memberships
      .filter((membership) => membership.member === names.owner && membership.inherits)
      .map((membership) => membership.role),
  )
  const makers = [...new Set(wantedAccess.makers.map(([profile]) => profile))]
  return [
    ...makers
      .filter((profile) => !have.has(profile))
      .map((profile) => toStatement(`grant ${profile} to ${names.owner} with inherit true, set true`)),
    ...wantedAccess.makers.flatMap(([profile, tag]) => {
      const schema = actual.schemas.find((taggedSchema) => taggedSchema.tag === tag)
      if (!schema || actual.makers.has(`${profile} ${schema.name}`)) return []
      return buildMakerStatements(names, schema, profile).map((text) => toStatement(text))
    }),
  ]
}

function planLogin(login: WantedLogin, presentRole: ActualRole | undefined, scope: AccessScope): PlannedStatement[] {
  const until = `valid until '${login.validUntil?.toISOString() ?? 'infinity'}'`
  const attributes = `login noinherit connection limit ${login.connectionLimit} ${until}`
  if (!presentRole) {
    return [
      {
        text: `create role ${login.name} ${attributes} nosuperuser nocreatedb nocreaterole password '${HIDDEN_PASSWORD}'`,
        passwordFor: login.name,
      },
      ...[
        ...buildOwnershipStatements(scope, login.name),
        // Without INHERIT: after SET ROLE NONE a session has no privileges.
        `grant ${login.profile} to ${login.name} with inherit false, set true`,
        `grant ${scope.names.guest} to ${login.name} with inherit true, set false`,
        `grant ${EXTERNAL} to ${login.name} with inherit false, set false`,
      ].map((text) => toStatement(text)),
      ...settingStatements(login),
    ]
  }
  const isSame =
    presentRole.connectionLimit === login.connectionLimit &&
    presentRole.canLogin &&
    presentRole.validUntil?.getTime() === login.validUntil?.getTime()
  const hasSettings = haveSameSettings(presentRole.settings, login.settings)
  return [
    ...(isSame ? [] : [toStatement(`alter role ${login.name} ${attributes}`)]),
    ...(hasSettings
      ? []
      : [
          toStatement(`alter role ${login.name} reset all`),
          toStatement(`alter role ${login.name} in database ${scope.names.database} reset all`),
          ...settingStatements(login),
        ]),
  ]
}

const settingStatements = (login: WantedLogin): PlannedStatement[] =>
  login.settings.map((setting) => {
    const [name, value] = splitSetting(setting)
    return toStatement(`alter role ${login.name} set ${name} = ${name === 'search_path' ? value : `'${value}'`}`)
  })

/** Table owners can write and drop regardless of grants. */
function planDemoted(wantedAccess: WantedAccess, actual: ActualAccess, names: WorkspaceNames): PlannedStatement[] {
  const makers = new Set(wantedAccess.makers.map(([profile, tag]) => `${profile} ${tag}`))
  const keptRoles = new Set(wantedAccess.roles)
  return actual.owned
    .filter(({ owner, tag }) => keptRoles.has(owner) && !makers.has(`${owner} ${tag}`))
    .map((object) => toSchemaOwner(object, names))
}

const toSchemaOwner = ({ kind, name, tag, owner }: OwnedObject, names: WorkspaceNames): PlannedStatement => ({
  text: `alter ${kind} ${name} owner to ${getSchemaRoles(names, tag).owner}`,
  losing: owner,
})

/** Objects of a profile go to the schema's owner, never with more rights than the profile had. */
function planReassignment(role: string, actual: ActualAccess, names: WorkspaceNames): PlannedStatement[] {
  return actual.owned
    .filter((object) => object.owner === role)
    .map((object) => toSchemaOwner(object, names))
    .concat(role.startsWith(`${names.database}_p_`) ? [toStatement(`reassign owned by ${role} to ${names.owner}`)] : [])
}

const dropRole = (name: string): PlannedStatement[] => [
  toStatement(`drop owned by ${name}`),
  { text: `drop role ${name}`, drops: name },
]
