import type { PlannedChange } from '@trellis/contract/database-admin/database-admin.schemas'
import { renderLine } from '@trellis/workspace-db/firewall/firewall-lines'
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
  const stored = await loadStored(ctx, database)
  if (change.kind === 'firewall') return { statements: planFirewall(ctx, { database, stored, change }) }
  const after = await storedAfter(ctx, { database, stored, change })
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
  ...rows.filter((one) => one.id !== row.id),
  row,
]

async function afterRole(
  database: OpenDatabase,
  stored: StoredAccess,
  role: ChangeOfKind<'role'>['role'],
): Promise<StoredAccess> {
  const known = role.role_trellis_code === undefined ? undefined : getOwnRole(stored, role.role_trellis_code)
  assertNameFree(stored.roles, { ...(known && { id: known.id }), name: role.name, what: 'role' })
  const row = {
    id: known?.id ?? NEW,
    trellis_code: known?.trellis_code ?? '',
    slug: known?.slug ?? createUniqueSlug(role.name, stored.roles),
    name: role.name,
    description: role.description,
    grants: toGrants(role.grants, await listSchemas(database)),
    is_built_in: false,
    created_at: new Date(0),
  }
  return { ...stored, roles: replaceRow(stored.roles, row) }
}

function afterGroup(stored: StoredAccess, group: ChangeOfKind<'group'>['group']): StoredAccess {
  const known =
    group.group_trellis_code === undefined ? undefined : getByCode(stored.groups, group.group_trellis_code, 'group')
  assertNameFree(stored.groups, { ...(known && { id: known.id }), name: group.name, what: 'group' })
  const id = known?.id ?? NEW
  const members = toIds(stored.profiles, group.profile_trellis_codes, 'profile')
  const row = {
    id,
    trellis_code: known?.trellis_code ?? '',
    slug: known?.slug ?? createUniqueSlug(group.name, stored.groups),
    name: group.name,
    description: group.description,
    role_ids: toIds(stored.roles, group.role_trellis_codes, 'role'),
    created_at: new Date(0),
  }
  const profiles = stored.profiles.map((profile) => {
    const others = profile.group_ids.filter((one) => one !== id)
    return { ...profile, group_ids: members.includes(profile.id) ? [...others, id] : others }
  })
  return { ...stored, groups: replaceRow(stored.groups, row), profiles }
}

async function afterProfile(
  ctx: WorkspaceCtx,
  database: OpenDatabase,
  { stored, body }: { stored: StoredAccess; body: ChangeOfKind<'external_profile'>['profile'] },
): Promise<StoredAccess> {
  const external = stored.profiles.filter((profile) => profile.kind === 'external')
  const code = body.profile_trellis_code
  const known = code === undefined ? undefined : getByCode(external, code, 'profile')
  assertNameFree(external, { ...(known && { id: known.id }), name: body.name, what: 'profile' })
  const now = ctx.clock.now()
  const values = toExternalProfileValues(
    { ...body, connection_limit: body.connection_limit ?? known?.connection_limit },
    stored,
    now,
  )
  const row: ProfileRow = {
    id: known?.id ?? NEW,
    trellis_code: known?.trellis_code ?? '',
    slug: known?.slug ?? createUniqueSlug(`external ${body.name}`, stored.profiles),
    kind: 'external',
    profile_id: null,
    logins: known?.logins ?? [{ suffix: 'a', ends_at: null, made_at: now.toISOString() }],
    last_seen_at: null,
    created_at: now,
    ...values,
    login_name: known
      ? known.login_name
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
  return lines.map((line) => renderLine(line))
}
