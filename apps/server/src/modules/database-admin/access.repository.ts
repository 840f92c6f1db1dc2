import { type AccountScope, deleteScoped, insertScoped, scoped, updateScoped } from '@trellis/control-db/scoped'
import type { Template } from '@trellis/workspace-db/roles/templates'
import { sql } from 'kysely'

export interface DatabaseRef {
  readonly workspaceId: number
  readonly integrationCode: string
}
export interface StoredGrant {
  readonly template: Template
  readonly schema_name: string | null
  /** Identifies the schema across renames. */
  readonly tag: string | null
}
export interface StoredLogin {
  readonly suffix: string
  readonly ends_at: string | null
  readonly made_at: string
  /** The SCRAM verifier, sealed; missing on older logins until the next sweep. */
  readonly verifier?: string
}
export interface RoleRow {
  readonly id: number
  readonly trellis_code: string
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly grants: readonly StoredGrant[]
  readonly is_built_in: boolean
  readonly created_at: Date
}
export interface GroupRow {
  readonly id: number
  readonly trellis_code: string
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly role_ids: readonly number[]
  readonly created_at: Date
}
export interface ProfileRow {
  readonly id: number
  readonly trellis_code: string
  readonly slug: string
  readonly kind: 'member' | 'external'
  readonly profile_id: number | null
  readonly name: string | null
  readonly description: string
  readonly role_ids: readonly number[]
  readonly group_ids: readonly number[]
  /** Null for logins older than custom names. */
  readonly login_name: string | null
  readonly logins: readonly StoredLogin[]
  readonly connection_limit: number
  readonly expires_at: Date | null
  readonly last_seen_at: Date | null
  readonly created_at: Date
}
export interface StoredAccess {
  readonly roles: readonly RoleRow[]
  readonly groups: readonly GroupRow[]
  readonly profiles: readonly ProfileRow[]
}

/** Concurrent changes of one database would undo each other on the cluster. */
export async function lockAccess(ctx: AccountScope, workspaceId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('database-admin', ${workspaceId}))`.execute(ctx.db)
}

export async function findStoredAccess(ctx: AccountScope, database: DatabaseRef): Promise<StoredAccess> {
  const roles = await scoped(ctx, 'database_roles')
    .selectAll()
    .where('workspace_id', '=', database.workspaceId)
    .where('integration_code', '=', database.integrationCode)
    .orderBy('is_built_in', 'desc')
    .orderBy('id')
    .execute()
  const groups = await scoped(ctx, 'database_groups')
    .selectAll()
    .where('workspace_id', '=', database.workspaceId)
    .where('integration_code', '=', database.integrationCode)
    .orderBy('id')
    .execute()
  const profiles = await scoped(ctx, 'database_profiles')
    .selectAll()
    .where('workspace_id', '=', database.workspaceId)
    .where('integration_code', '=', database.integrationCode)
    .orderBy('id')
    .execute()
  return {
    roles: roles as RoleRow[],
    groups: groups.map((group) => ({ ...group, role_ids: toNumbers(group.role_ids) })),
    profiles: profiles.map((profile) => ({
      ...profile,
      role_ids: toNumbers(profile.role_ids),
      group_ids: toNumbers(profile.group_ids),
    })),
  }
}

/** Arrays of bigint arrive as strings, unlike single ones. */
const toNumbers = (ids: readonly unknown[]): number[] => ids.map(Number)

const toOwnerColumns = (database: DatabaseRef) => ({
  workspace_id: database.workspaceId,
  integration_code: database.integrationCode,
})

export interface NewRole {
  readonly trellis_code: string
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly grants: readonly StoredGrant[]
  readonly is_built_in?: boolean
}
export async function insertRole(
  ctx: AccountScope,
  database: DatabaseRef,
  { grants, ...role }: NewRole,
): Promise<void> {
  await insertScoped(ctx, 'database_roles', { ...role, ...toOwnerColumns(database), grants: JSON.stringify(grants) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
export async function updateRole(
  ctx: AccountScope,
  id: number,
  { grants, ...role }: Pick<RoleRow, 'name' | 'description' | 'grants'>,
): Promise<void> {
  await updateScoped(ctx, 'database_roles')
    .set({ ...role, grants: JSON.stringify(grants) })
    .where('id', '=', id)
    .execute()
}
export async function deleteRole(ctx: AccountScope, database: DatabaseRef, id: number): Promise<void> {
  for (const table of ['database_groups', 'database_profiles'] as const) {
    await updateScoped(ctx, table)
      .set({ role_ids: sql<number[]>`array_remove(role_ids, ${id}::bigint)` })
      .where('workspace_id', '=', database.workspaceId)
      .execute()
  }
  await deleteScoped(ctx, 'database_roles').where('id', '=', id).execute()
}

export async function insertGroup(
  ctx: AccountScope,
  database: DatabaseRef,
  { role_ids, ...group }: Pick<GroupRow, 'trellis_code' | 'slug' | 'name' | 'description' | 'role_ids'>,
): Promise<number> {
  const row = await insertScoped(ctx, 'database_groups', {
    ...group,
    ...toOwnerColumns(database),
    role_ids: [...role_ids],
  })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}
export async function updateGroup(
  ctx: AccountScope,
  id: number,
  { role_ids, ...group }: Pick<GroupRow, 'name' | 'description' | 'role_ids'>,
): Promise<void> {
  await updateScoped(ctx, 'database_groups')
    .set({ ...group, role_ids: [...role_ids] })
    .where('id', '=', id)
    .execute()
}
export async function deleteGroup(ctx: AccountScope, database: DatabaseRef, id: number): Promise<void> {
  await setGroupMembers(ctx, database, { id, profileIds: [] })
  await deleteScoped(ctx, 'database_groups').where('id', '=', id).execute()
}
export async function setGroupMembers(
  ctx: AccountScope,
  database: DatabaseRef,
  { id, profileIds }: { id: number; profileIds: readonly number[] },
): Promise<void> {
  await updateScoped(ctx, 'database_profiles')
    .set({
      group_ids: sql<number[]>`case when id = any(${[...profileIds]}::bigint[])
        then array_append(array_remove(group_ids, ${id}::bigint), ${id}::bigint)
        else array_remove(group_ids, ${id}::bigint) end`,
    })
    .where('workspace_id', '=', database.workspaceId)
    .where('integration_code', '=', database.integrationCode)
    .execute()
}

export type ProfileValues = Pick<ProfileRow, 'name' | 'description' | 'role_ids' | 'group_ids' | 'connection_limit'> &
  Pick<ProfileRow, 'expires_at' | 'logins' | 'login_name'>
export async function insertProfile(
  ctx: AccountScope,
  database: DatabaseRef,
  profile: ProfileValues & Pick<ProfileRow, 'trellis_code' | 'slug' | 'kind' | 'profile_id'>,
): Promise<void> {
  const { logins, role_ids, group_ids, ...rest } = profile
  await insertScoped(ctx, 'database_profiles', {
    ...rest,
    ...toOwnerColumns(database),
    role_ids: [...role_ids],
    group_ids: [...group_ids],
    logins: JSON.stringify(logins),
  }).execute()
}
export async function updateProfile(ctx: AccountScope, id: number, values: Partial<ProfileValues>): Promise<void> {
  const { logins, role_ids, group_ids, ...rest } = values
  await updateScoped(ctx, 'database_profiles')
    .set({
      ...rest,
      ...(role_ids && { role_ids: [...role_ids] }),
      ...(group_ids && { group_ids: [...group_ids] }),
      ...(logins && { logins: JSON.stringify(logins) }),
    })
    .where('id', '=', id)
    .execute()
}
export async function deleteProfile(ctx: AccountScope, id: number): Promise<void> {
  await deleteScoped(ctx, 'database_profiles').where('id', '=', id).execute()
}
