import type { PlannedChange } from '@trellis/contract/database-admin/database-admin.schemas'
import { formatRuleLine } from '@trellis/workspace-db/firewall/firewall-lines'
import { previewAccess } from '@trellis/workspace-db/roles/apply-access'
import type { output } from 'zod/mini'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { type OpenDatabase, openDatabase } from '../../platform/workspace-database/open-database.ts'
import type { ProfileRow, StoredAccess } from './access.repository.ts'
import {
  assertNameFree,
  getByCode,
  toIds,
  loadStored,
  withClusterErrors,
  createUniqueSlug,
  toAccess,
} from './access-state.ts'
import { toExternalProfileValues } from './external-profiles.ts'
import { toRule } from './firewall.ts'
import { toFirewallLines } from './firewall-state.ts'
import { chooseLoginName } from './logins/login-name.ts'
import { getOwnRole, listSchemas, toGrants } from './roles.ts'

type DatabaseChange = output<typeof PlannedChange>
type ChangeOfKind<K extends DatabaseChange['kind']> = Extract<DatabaseChange, { kind: K }>

/** Placeholder id of a new row. */
const NEW = 0

export async function planDatabaseChange(ctx: WorkspaceCtx, change: DatabaseChange): Promise<{ statements: string[] }> {
  const database = await openDatabase(ctx, getIntegrationCode(change))
  const storedAccess = await loadStored(ctx, database)
  if (change.kind === 'firewall') return { statements: planFirewall(ctx, { database, stored: storedAccess, change }) }
  const after = await storedAfter(ctx, { database, stored: storedAccess, change })
  const statements = await withClusterErrors(() =>
    previewAccess(database.cluster, { key: database.key, access: toAccess(after) }),
  )
  return { statements: statements.map((text) => `${text};`) }
}

function getIntegrationCode(change: DatabaseChange): string {
  if (change.kind === 'role') return change.role.integration_trellis_code
  if (change.kind === 'group') return change.group.integration_trellis_code
  if (change.kind === 'firewall') return change.firewall.integration_trellis_code
  return change.profile.integration_trellis_code
}

interface ChangeInput<C> {
  readonly database: OpenDatabase
  readonly stored: StoredAccess
  readonly change: C
}

async function storedAfter(
  ctx: WorkspaceCtx,
  place: ChangeInput<Exclude<DatabaseChange, ChangeOfKind<'firewall'>>>,
): Promise<StoredAccess> {
  const { database, stored, change } = place
  if (change.kind === 'role') return await afterRole(database, stored, change.role)
  if (change.kind === 'group') return afterGroup(stored, change.group)
  return await afterProfile(ctx, database, { stored, body: change.profile })
}

const replaceRow = <R extends { readonly id: number }>(rows: readonly R[], row: R): R[] => [
  ...rows.filter((other) => other.id !== row.id),
  row,
]

async function afterRole(
  database: OpenDatabase,
  storedAccess: StoredAccess,
  role: ChangeOfKind<'role'>['role'],
): Promise<StoredAccess> {
  const knownRoleRow =
    role.role_trellis_code === undefined ? undefined : getOwnRole(storedAccess, role.role_trellis_code)
  assertNameFree(storedAccess.roles, { ...(knownRoleRow && { id: knownRoleRow.id }), name: role.name, what: 'role' })
  const row = {
    id: knownRoleRow?.id ?? NEW,
    trellis_code: knownRoleRow?.trellis_code ?? '',
    slug: knownRoleRow?.slug ?? createUniqueSlug(role.name, storedAccess.roles),
    name: role.name,
    description: role.description,
    grants: toGrants(role.grants, await listSchemas(database)),
    is_built_in: false,
    created_at: new Date(0),
  }
  return { ...storedAccess, roles: replaceRow(storedAccess.roles, row) }
}

function afterGroup(storedAccess: StoredAccess, group: ChangeOfKind<'group'>['group']): StoredAccess {
  const knownGroupRow =
    group.group_trellis_code === undefined
      ? undefined
      : getByCode(storedAccess.groups, group.group_trellis_code, 'group')
  assertNameFree(storedAccess.groups, {
    ...(knownGroupRow && { id: knownGroupRow.id }),
    name: group.name,
    what: 'group',
  })
  const id = knownGroupRow?.id ?? NEW
  const members = toIds(storedAccess.profiles, group.profile_trellis_codes, 'profile')
  const row = {
    id,
    trellis_code: knownGroupRow?.trellis_code ?? '',
    slug: knownGroupRow?.slug ?? createUniqueSlug(group.name, storedAccess.groups),
    name: group.name,
    description: group.description,
    role_ids: toIds(storedAccess.roles, group.role_trellis_codes, 'role'),
    created_at: new Date(0),
  }
  const profiles = storedAccess.profiles.map((profile) => {
    const others = profile.group_ids.filter((item) => item !== id)
    return { ...profile, group_ids: members.includes(profile.id) ? [...others, id] : others }
  })
  return { ...storedAccess, groups: replaceRow(storedAccess.groups, row), profiles }
}

async function afterProfile(
  ctx: WorkspaceCtx,
  database: OpenDatabase,
  { stored, body }: { stored: StoredAccess; body: ChangeOfKind<'external_profile'>['profile'] },
): Promise<StoredAccess> {
  const external = stored.profiles.filter((profile) => profile.kind === 'external')
  const code = body.profile_trellis_code
  const knownProfileRow = code === undefined ? undefined : getByCode(external, code, 'profile')
  assertNameFree(external, { ...(knownProfileRow && { id: knownProfileRow.id }), name: body.name, what: 'profile' })
  const now = ctx.clock.now()
  const values = toExternalProfileValues(
    { ...body, connection_limit: body.connection_limit ?? knownProfileRow?.connection_limit },
    stored,
    now,
  )
  const row: ProfileRow = {
    id: knownProfileRow?.id ?? NEW,
    trellis_code: knownProfileRow?.trellis_code ?? '',
    slug: knownProfileRow?.slug ?? createUniqueSlug(`external ${body.name}`, stored.profiles),
    kind: 'external',
    profile_id: null,
    logins: knownProfileRow?.logins ?? [{ suffix: 'a', ends_at: null, made_at: now.toISOString() }],
    last_seen_at: null,
    created_at: now,
    ...values,
    login_name: knownProfileRow
      ? knownProfileRow.login_name
      : await chooseLoginName(ctx, database, { ...values, stored, given: body.login_name }),
  }
  return { ...stored, profiles: replaceRow(stored.profiles, row) }
}

function planFirewall(
  ctx: WorkspaceCtx,
  { database, stored, change }: ChangeInput<ChangeOfKind<'firewall'>>,
): string[] {
  const rules = change.firewall.rules.map((rule, index) => toRule(rule, stored, { now: null, at: `/rules/${index}` }))
  const lines = toFirewallLines(database, rules, { profiles: stored.profiles, now: ctx.clock.now() })
  return lines.map((line) => formatRuleLine(line))
}
