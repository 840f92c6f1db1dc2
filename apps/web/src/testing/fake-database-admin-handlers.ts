import type {
  DatabaseGroup,
  DatabaseProfile,
  DatabaseRole,
  ExternalProfile,
  FirewallRule,
} from '@trellis/contract/database-admin/database-admin.schemas'
import { daysFromNow } from './fake-company.ts'
import { external, FAKE_PASSWORD, role } from './fake-database-admin.ts'
import { FakeError } from './fake-error.ts'
import type { Handler } from './fake-handler.ts'

const done = { done: true as const }

function find<T>(list: readonly T[], isIt: (one: T) => boolean): T {
  const found = list.find(isIt)
  if (!found) throw new FakeError('not_found')
  return found
}

const toCode = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
const createSecret = (user_name: string) => ({ user_name, password: FAKE_PASSWORD, expires_at: null })

const roles: Record<string, Handler> = {
  listRoleTemplates: () =>
    [
      ['reader', 'Reader', 'Reads tables and views', true],
      ['writer', 'Writer', 'Reads, adds, changes and deletes rows', true],
      ['admin', 'Admin', 'Also makes and drops tables', true],
      ['analyst', 'Analyst', 'Reads every schema, also those to come', false],
      ['loader', 'Loader', 'Adds rows and makes tables', true],
      ['bi', 'BI', 'Reads every schema, with short statements', false],
    ].map(([template, label, description, needs_schemas]) => ({
      template,
      label,
      description,
      needs_schemas,
      rights: ['USAGE', 'SELECT'],
    })),
  listDatabaseRoles: ({ databaseAdmin }) => databaseAdmin.roles,
  getDatabaseRole: ({ databaseAdmin }, { params }) =>
    find(databaseAdmin.roles, (item) => item.role_trellis_code === params['role_trellis_code']),
  createDatabaseRole: ({ databaseAdmin }, { body }) => {
    const { name, description, grants } = body as DatabaseRole
    if (databaseAdmin.roles.some((other) => other.name === name))
      throw new FakeError('conflict', { detail: 'There is a role with this name.', source: { pointer: '/name' } })
    const made = role(`r-${toCode(name)}`, name, { description, grants })
    databaseAdmin.roles.push(made)
    return made
  },
  updateDatabaseRole: ({ databaseAdmin }, { body }) => {
    const { role_trellis_code, name, description, grants } = body as DatabaseRole
    const known = find(databaseAdmin.roles, (item) => item.role_trellis_code === role_trellis_code)
    return Object.assign(known, { name, description, grants })
  },
  deleteDatabaseRole: ({ databaseAdmin }, { params }) => {
    databaseAdmin.roles = databaseAdmin.roles.filter((other) => other.role_trellis_code !== params['role_trellis_code'])
    return done
  },
  listDatabaseGroups: ({ databaseAdmin }) => databaseAdmin.groups,
  getDatabaseGroup: ({ databaseAdmin }, { params }) =>
    find(databaseAdmin.groups, (item) => item.group_trellis_code === params['group_trellis_code']),
  createDatabaseGroup: ({ databaseAdmin }, { body }) => {
    const { name, description, role_trellis_codes, profile_trellis_codes } = body as DatabaseGroup
    const made = {
      group_trellis_code: `g-${toCode(name)}`,
      name,
      description,
      role_trellis_codes,
      profile_trellis_codes,
      created_at: daysFromNow(0),
    }
    databaseAdmin.groups.push(made)
    return made
  },
  updateDatabaseGroup: ({ databaseAdmin }, { body }) => {
    const { group_trellis_code, name, description, role_trellis_codes, profile_trellis_codes } = body as DatabaseGroup
    const known = find(databaseAdmin.groups, (item) => item.group_trellis_code === group_trellis_code)
    return Object.assign(known, { name, description, role_trellis_codes, profile_trellis_codes })
  },
  deleteDatabaseGroup: ({ databaseAdmin }, { params }) => {
    databaseAdmin.groups = databaseAdmin.groups.filter(
      (other) => other.group_trellis_code !== params['group_trellis_code'],
    )
    return done
  },
}

const profiles: Record<string, Handler> = {
  listDatabaseProfiles: ({ databaseAdmin }) => databaseAdmin.profiles,
  getDatabaseProfile: ({ databaseAdmin }, { params }) =>
    find(databaseAdmin.profiles, (item) => item.profile_trellis_code === params['profile_trellis_code']),
  createDatabaseProfile: ({ databaseAdmin, company }, { body }) => {
    const { trellis_user_code, role_trellis_codes, group_trellis_codes } = body as DatabaseProfile
    const { profile, role: workspace_role } = find(
      company.workspaceMembers,
      (item) => item.profile.trellis_user_code === trellis_user_code,
    )
    const made: DatabaseProfile = {
      profile_trellis_code: `p-${trellis_user_code}`,
      name: `${profile.first_name} ${profile.surname}`,
      email: profile.email,
      trellis_user_code,
      workspace_role,
      role_trellis_codes,
      group_trellis_codes,
      logins: [],
      has_external_access: false,
      connection_limit: 5,
      created_at: daysFromNow(0),
    }
    databaseAdmin.profiles.push(made)
    return made
  },
  updateDatabaseProfile: ({ databaseAdmin }, { body }) => {
    const { profile_trellis_code, role_trellis_codes, group_trellis_codes } = body as DatabaseProfile
    const known = find(databaseAdmin.profiles, (item) => item.profile_trellis_code === profile_trellis_code)
    return Object.assign(known, { role_trellis_codes, group_trellis_codes })
  },
  setExternalAccess: ({ databaseAdmin }, { body }) => {
    const { profile_trellis_code, has_external_access, connection_limit } = body as DatabaseProfile
    const known = find(databaseAdmin.profiles, (item) => item.profile_trellis_code === profile_trellis_code)
    const user_name = `u_${toCode(known.name)}`
    const isNew = has_external_access && !known.has_external_access
    Object.assign(known, {
      has_external_access,
      connection_limit,
      logins: has_external_access ? [{ user_name, expires_at: null, ends_at: null }] : [],
    })
    return { profile: known, secret: isNew ? createSecret(user_name) : null }
  },
  deleteDatabaseProfile: ({ databaseAdmin }, { params }) => {
    databaseAdmin.profiles = databaseAdmin.profiles.filter(
      (profile) => profile.profile_trellis_code !== params['profile_trellis_code'],
    )
    return done
  },
  suggestLoginName: (_, { body }) => {
    const { name, profile_trellis_code } = body as { name?: string; profile_trellis_code?: string }
    return { login_name: `growth_${toCode(name || profile_trellis_code || 'login').replaceAll('-', '_')}` }
  },
  listExternalProfiles: ({ databaseAdmin }) => databaseAdmin.externals,
  getExternalProfile: ({ databaseAdmin }, { params }) =>
    find(databaseAdmin.externals, (item) => item.profile_trellis_code === params['profile_trellis_code']),
  createExternalProfile: ({ databaseAdmin }, { body }) => {
    const { name, description, role_trellis_codes, group_trellis_codes, expires_at, connection_limit } =
      body as ExternalProfile
    const made = external(`x-${toCode(name)}`, name, {
      description,
      role_trellis_codes,
      group_trellis_codes,
      expires_at,
      connection_limit,
      last_seen_at: null,
    })
    databaseAdmin.externals.push(made)
    return { profile: made, secret: createSecret(made.logins[0]?.user_name ?? '') }
  },
  updateExternalProfile: ({ databaseAdmin }, { body }) => {
    const { integration_trellis_code: _, ...change } = body as ExternalProfile & { integration_trellis_code: string }
    const known = find(databaseAdmin.externals, (item) => item.profile_trellis_code === change.profile_trellis_code)
    return Object.assign(known, change)
  },
  rotateExternalProfile: ({ databaseAdmin }, { body }) => {
    const { profile_trellis_code, overlap_minutes } = body as { profile_trellis_code: string; overlap_minutes: number }
    const known = find(databaseAdmin.externals, (item) => item.profile_trellis_code === profile_trellis_code)
    const user_name = `${known.logins[0]?.user_name}_2`
    known.logins = [
      { user_name, expires_at: null, ends_at: null },
      ...known.logins.map((login) => ({ ...login, ends_at: daysFromNow(overlap_minutes / 1440) })),
    ]
    return { profile: known, secret: createSecret(user_name) }
  },
  deleteExternalProfile: ({ databaseAdmin }, { params }) => {
    databaseAdmin.externals = databaseAdmin.externals.filter(
      (other) => other.profile_trellis_code !== params['profile_trellis_code'],
    )
    return done
  },
}

const rule = (one: Omit<FirewallRule, 'id' | 'is_expired' | 'is_any_address'>, id: number): FirewallRule => ({
  id,
  name: one.name,
  cidr: one.cidr,
  profile_trellis_code: one.profile_trellis_code,
  expires_at: one.expires_at,
  is_expired: false,
  is_any_address: one.cidr.endsWith('/0'),
})

const connection: Record<string, Handler> = {
  getFirewall: ({ databaseAdmin }) => databaseAdmin.firewall,
  addFirewallRule: ({ databaseAdmin }, { body }) => {
    const { firewall } = databaseAdmin
    const { cidr, accepts_any_address } = body as { cidr: string; accepts_any_address?: boolean }
    if (cidr.endsWith('/0') && !accepts_any_address)
      throw new FakeError('any_address', { detail: 'These rules let in every IPv4 address.' })
    firewall.rules.push(rule(body as FirewallRule, firewall.rules.length + 1))
    return firewall
  },
  setFirewall: ({ databaseAdmin }, { body }) => {
    const { rules, accepts_lock_out } = body as { rules: FirewallRule[]; accepts_lock_out: boolean }
    if (!accepts_lock_out && !rules.some((other) => other.cidr.startsWith('203.0.113.')))
      throw new FakeError('lock_out', { detail: 'No rule lets 203.0.113.7 in any more.' })
    databaseAdmin.firewall.rules = rules.map((other, at) => rule(other, at + 1))
    return databaseAdmin.firewall
  },
  getConnection: ({ databaseAdmin }) => databaseAdmin.connection,
  testConnection: (_world, { body }) => {
    const works = (body as { password: string }).password === FAKE_PASSWORD
    return { works, message: works ? 'PostgreSQL 18.1' : 'The password is not right.', milliseconds: 12 }
  },
  getRights: ({ databaseAdmin }) => databaseAdmin.rights,
  checkReach: (_world, { body }) => {
    const { action, address } = body as { action: string; address: string }
    const isInside = address.startsWith('203.0.113.')
    return {
      answer: isInside && action !== 'write',
      steps: [
        { label: 'Firewall', holds: isInside, because: isInside ? 'The rule Office' : 'No rule names this address' },
        { label: 'Login', holds: true, because: 'The login works' },
        { label: 'Schema', holds: action !== 'write', because: 'Through Reader' },
      ],
    }
  },
  planDatabaseChange: (_world, { body }) => ({
    statements: [`-- ${(body as { kind: string }).kind}`, 'GRANT USAGE ON SCHEMA "public" TO "r_reader";'],
  }),
  listDatabaseSessions: ({ databaseAdmin }) => databaseAdmin.sessions,
  endDatabaseSession: ({ databaseAdmin }, { params }) => {
    databaseAdmin.sessions = databaseAdmin.sessions.filter((session) => String(session.pid) !== params['pid'])
    return done
  },
}

export const databaseAdminHandlers: Record<string, Handler> = { ...roles, ...profiles, ...connection }
