import type { DatabaseGroup } from '@trellis/contract/database-admin/database-admin.schemas'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { generateTrellisCode } from '../../platform/trellis-code.ts'
import { openDatabase } from '../../platform/workspace-database/open-database.ts'
import {
  deleteGroup,
  type GroupRow,
  insertGroup,
  setGroupMembers,
  type StoredAccess,
  updateGroup,
} from './access.repository.ts'
import {
  assertNameFree,
  changeAccess,
  toCodes,
  getByCode,
  toIds,
  loadStored,
  createUniqueSlug,
} from './access-state.ts'

export interface GroupBody {
  readonly integration_trellis_code: string
  readonly name: string
  readonly description: string
  readonly role_trellis_codes: readonly string[]
  readonly profile_trellis_codes: readonly string[]
}

function toGroup(group: GroupRow, storedAccess: StoredAccess): DatabaseGroup {
  return {
    group_trellis_code: group.trellis_code,
    name: group.name,
    description: group.description,
    role_trellis_codes: toCodes(storedAccess.roles, group.role_ids),
    profile_trellis_codes: storedAccess.profiles
      .filter((profile) => profile.group_ids.includes(group.id))
      .map((profile) => profile.trellis_code),
    created_at: group.created_at.toISOString(),
  }
}

export async function listDatabaseGroups(ctx: WorkspaceCtx, code: string): Promise<DatabaseGroup[]> {
  const storedAccess = await loadStored(ctx, await openDatabase(ctx, code))
  return storedAccess.groups.map((group) => toGroup(group, storedAccess))
}

export async function getDatabaseGroup(ctx: WorkspaceCtx, code: string, groupCode: string): Promise<DatabaseGroup> {
  const group = (await listDatabaseGroups(ctx, code)).find(
    (databaseGroup) => databaseGroup.group_trellis_code === groupCode,
  )
  if (!group) throw new AppError('not_found', 'There is no such group.')
  return group
}

export async function createDatabaseGroup(ctx: WorkspaceCtx, body: GroupBody): Promise<DatabaseGroup> {
  const code = generateTrellisCode()
  await changeAccess(ctx, body.integration_trellis_code, async (ctx, database, storedAccess) => {
    assertNameFree(storedAccess.groups, { name: body.name, what: 'group' })
    const id = await insertGroup(ctx, database, {
      trellis_code: code,
      slug: createUniqueSlug(body.name, storedAccess.groups),
      name: body.name,
      description: body.description,
      role_ids: toIds(storedAccess.roles, body.role_trellis_codes, 'role'),
    })
    await setGroupMembers(ctx, database, {
      id,
      profileIds: toIds(storedAccess.profiles, body.profile_trellis_codes, 'profile'),
    })
    return { result: undefined }
  })
  return await getDatabaseGroup(ctx, body.integration_trellis_code, code)
}

export async function updateDatabaseGroup(
  ctx: WorkspaceCtx,
  body: GroupBody & { group_trellis_code: string },
): Promise<DatabaseGroup> {
  await changeAccess(ctx, body.integration_trellis_code, async (ctx, database, storedAccess) => {
    const { id } = getByCode(storedAccess.groups, body.group_trellis_code, 'group')
    assertNameFree(storedAccess.groups, { id, name: body.name, what: 'group' })
    const { name, description } = body
    await updateGroup(ctx, id, {
      name,
      description,
      role_ids: toIds(storedAccess.roles, body.role_trellis_codes, 'role'),
    })
    await setGroupMembers(ctx, database, {
      id,
      profileIds: toIds(storedAccess.profiles, body.profile_trellis_codes, 'profile'),
    })
    return { result: undefined }
  })
  return await getDatabaseGroup(ctx, body.integration_trellis_code, body.group_trellis_code)
}

export async function deleteDatabaseGroup(ctx: WorkspaceCtx, code: string, groupCode: string): Promise<{ done: true }> {
  return await changeAccess(ctx, code, async (ctx, database, storedAccess) => {
    await deleteGroup(ctx, database, getByCode(storedAccess.groups, groupCode, 'group').id)
    return { result: { done: true } as const }
  })
}
