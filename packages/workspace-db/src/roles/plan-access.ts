import pg from 'pg'
import type { WorkspaceNames } from '../names.ts'
import { buildOwnershipStatements } from '../schemas/make-role.ts'
import { buildDefaultPrivileges, getSchemaRoles } from '../schemas/schema-roles.ts'
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
  const existingRoles = new Map(actual.roles.map((role) => [role.name, role]))
  const logins = new Set(actual.roles.filter((role) => role.isExternal).map((role) => role.name))
  const managedRoleName = new RegExp(`^${scope.names.database}_[rgp]_`)
  const isManaged = (name: string) => managedRoleName.test(name) || logins.has(name)
  const wantedNames = new Set([...wantedAccess.roles, ...wantedAccess.logins.map((login) => login.name)])
  const extraRoles = actual.roles.filter((role) => isManaged(role.name) && !wantedNames.has(role.name))
  return [
    ...wantedAccess.roles.filter((name) => !existingRoles.has(name)).flatMap((name) => planNewRole(name, scope)),
    ...planMemberships(wantedAccess, actual, isManaged),
    ...planTableCreators(wantedAccess, actual, scope.names),
    ...planOwnershipLoss(wantedAccess, actual, scope.names),
    ...wantedAccess.logins.flatMap((login) => planLogin(login, existingRoles.get(login.name), scope)),
    ...extraRoles.filter((role) => role.isExternal).flatMap((role) => dropRole(role.name)),
    ...extraRoles
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
  isManaged: (name: string) => boolean,
): PlannedStatement[] {
  const toPairKey = (member: string, role: string) => `${member} ${role}`
  const actualPairs = new Set(
    actual.memberships
      .filter((membership) => membership.inherits)
      .map((membership) => toPairKey(membership.member, membership.role)),
  )
  const wantedPairs = new Set(wantedAccess.memberships.map(([member, role]) => toPairKey(member, role)))
  const keptRoles = new Set(wantedAccess.roles)
  return [
    ...wantedAccess.memberships
      .filter(([member, role]) => !actualPairs.has(toPairKey(member, role)))
      .map(([member, role]) => toStatement(`grant ${role} to ${member} with inherit true, set false`)),
    ...actual.memberships
      .filter(
        ({ member, role }) => isManaged(member) && keptRoles.has(member) && !wantedPairs.has(toPairKey(member, role)),
      )
      .map(({ member, role }) => toStatement(`revoke ${pg.escapeIdentifier(role)} from ${member}`)),
  ]
}

/** The data owner becomes a member, otherwise the product could not alter their tables. */
function planTableCreators(
  wantedAccess: WantedAccess,
  actual: ActualAccess,
  names: WorkspaceNames,
): PlannedStatement[] {
  const actualPairs = new Set(
    actual.memberships
      .filter((membership) => membership.member === names.owner && membership.inherits)
      .map((membership) => membership.role),
  )
  const creatorProfiles = [...new Set(wantedAccess.makers.map(([profile]) => profile))]
  return [
    ...creatorProfiles
      .filter((profile) => !actualPairs.has(profile))
      .map((profile) => toStatement(`grant ${profile} to ${names.owner} with inherit true, set true`)),
    ...wantedAccess.makers.flatMap(([profile, tag]) => {
      const schema = actual.schemas.find((taggedSchema) => taggedSchema.tag === tag)
      if (!schema || actual.makers.has(`${profile} ${schema.name}`)) return []
      return buildDefaultPrivileges(names, schema, profile).map((text) => toStatement(text))
    }),
  ]
}

function planLogin(login: WantedLogin, existingRole: ActualRole | undefined, scope: AccessScope): PlannedStatement[] {
  const validUntil = `valid until '${login.validUntil?.toISOString() ?? 'infinity'}'`
  const attributes = `login noinherit connection limit ${login.connectionLimit} ${validUntil}`
  if (!existingRole) {
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
      ...buildSettingStatements(login),
    ]
  }
  const hasSameAttributes =
    existingRole.connectionLimit === login.connectionLimit &&
    existingRole.canLogin &&
    existingRole.validUntil?.getTime() === login.validUntil?.getTime()
  const hasSettings = haveSameSettings(existingRole.settings, login.settings)
  return [
    ...(hasSameAttributes ? [] : [toStatement(`alter role ${login.name} ${attributes}`)]),
    ...(hasSettings
      ? []
      : [
          toStatement(`alter role ${login.name} reset all`),
          toStatement(`alter role ${login.name} in database ${scope.names.database} reset all`),
          ...buildSettingStatements(login),
        ]),
  ]
}

const buildSettingStatements = (login: WantedLogin): PlannedStatement[] =>
  login.settings.map((setting) => {
    const [name, value] = splitSetting(setting)
    return toStatement(`alter role ${login.name} set ${name} = ${name === 'search_path' ? value : `'${value}'`}`)
  })

/** Table owners can write and drop regardless of grants. */
function planOwnershipLoss(
  wantedAccess: WantedAccess,
  actual: ActualAccess,
  names: WorkspaceNames,
): PlannedStatement[] {
  const allowedCreators = new Set(wantedAccess.makers.map(([profile, tag]) => `${profile} ${tag}`))
  const keptRoles = new Set(wantedAccess.roles)
  return actual.owned
    .filter(({ owner, tag }) => keptRoles.has(owner) && !allowedCreators.has(`${owner} ${tag}`))
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
