import type { DatabaseRole } from '@trellis/contract/database-admin/database-admin.schemas'
import { toWorkspaceNames } from '@trellis/workspace-db/names'
import { type FoundSchema, findSchemas } from '@trellis/workspace-db/schemas/find-schemas'
import type { Template } from '@trellis/workspace-db/roles/templates'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { generateTrellisCode } from '../../platform/trellis-code.ts'
import { managedCode, type OpenDatabase, openDatabase } from '../../platform/workspace-database/open-database.ts'
import {
  deleteRole,
  insertRole,
  type RoleRow,
  type StoredAccess,
  type StoredGrant,
  updateRole,
} from './access.repository.ts'
import {
  assertNameFree,
  changeAccess,
  getByCode,
  loadStored,
  withClusterErrors,
  createUniqueSlug,
} from './access-state.ts'
import { isForEverySchema, TEMPLATE_TEXTS } from './template-texts.ts'

export interface RoleBody {
  readonly integration_trellis_code: string
  readonly name: string
  readonly description: string
  readonly grants: readonly { template: Template; schema_name: string | null }[]
}

export const listSchemas = (database: OpenDatabase): Promise<FoundSchema[]> =>
  withClusterErrors(() =>
    database.cluster.withAdmin(database.database, (client) => findSchemas(client, toWorkspaceNames(database.key))),
  )

/** Schemas must exist, so that no right appears later by surprise. */
export function toGrants(grants: RoleBody['grants'], schemas: readonly FoundSchema[]): StoredGrant[] {
  const found = grants.map(({ template, schema_name }, index) => {
    if (isForEverySchema(template)) return { template, schema_name: null, tag: null }
    const source = { source: { pointer: `/grants/${index}/schema_name` } }
    if (schema_name === null) throw new AppError('invalid_request', 'Choose the schema this right is for.', source)
    const tag = schemas.find((schema) => schema.name === schema_name)?.tag
    if (!tag) throw new AppError('not_found', `There is no schema “${schema_name}”.`, source)
    return { template, schema_name, tag }
  })
  return [...new Map(found.map((grant) => [`${grant.template} ${grant.tag}`, grant])).values()]
}

function toRole(role: RoleRow, storedAccess: StoredAccess, schemas: readonly FoundSchema[]): DatabaseRole {
  const groups = storedAccess.groups.filter((group) => group.role_ids.includes(role.id)).map((group) => group.id)
  const grants = role.grants.flatMap(({ template, tag }): DatabaseRole['grants'] => {
    if (tag === null) return [{ template, schema_name: null }]
    const schema = schemas.find((candidate) => candidate.tag === tag)
    return schema ? [{ template, schema_name: schema.name }] : []
  })
  return {
    role_trellis_code: role.trellis_code,
    name: role.name,
    description: role.description,
    grants,
    is_built_in: role.is_built_in,
    member_count: storedAccess.profiles.filter(
      (profile) => profile.role_ids.includes(role.id) || profile.group_ids.some((id) => groups.includes(id)),
    ).length,
    created_at: role.created_at.toISOString(),
  }
}

export async function listDatabaseRoles(ctx: WorkspaceCtx, code: string): Promise<DatabaseRole[]> {
  const database = await openDatabase(ctx, code)
  const storedAccess = await loadStored(ctx, database)
  const schemas = await listSchemas(database)
  return storedAccess.roles.map((role) => toRole(role, storedAccess, schemas))
}

export async function getDatabaseRole(ctx: WorkspaceCtx, code: string, roleCode: string): Promise<DatabaseRole> {
  const roles = await listDatabaseRoles(ctx, code)
  const role = roles.find((candidate) => candidate.role_trellis_code === roleCode)
  if (!role) throw new AppError('not_found', 'There is no such role.')
  return role
}

export const getRoleByCode = (ctx: WorkspaceCtx, roleCode: string): Promise<DatabaseRole> =>
  getDatabaseRole(ctx, managedCode(ctx.workspace.code), roleCode)

export async function listRoleTemplates(ctx: WorkspaceCtx, code: string) {
  await openDatabase(ctx, code)
  return TEMPLATE_TEXTS.map((text) => ({ ...text, rights: [...text.rights] }))
}

export async function createDatabaseRole(ctx: WorkspaceCtx, body: RoleBody): Promise<DatabaseRole> {
  const code = generateTrellisCode()
  await changeAccess(ctx, body.integration_trellis_code, async (ctx, database, storedAccess) => {
    assertNameFree(storedAccess.roles, { name: body.name, what: 'role' })
    await insertRole(ctx, database, {
      trellis_code: code,
      slug: createUniqueSlug(body.name, storedAccess.roles),
      name: body.name,
      description: body.description,
      grants: toGrants(body.grants, await listSchemas(database)),
    })
    return { result: undefined }
  })
  return await getDatabaseRole(ctx, body.integration_trellis_code, code)
}

export async function updateDatabaseRole(
  ctx: WorkspaceCtx,
  body: RoleBody & { role_trellis_code: string },
): Promise<DatabaseRole> {
  await changeAccess(ctx, body.integration_trellis_code, async (ctx, database, storedAccess) => {
    const role = getOwnRole(storedAccess, body.role_trellis_code)
    assertNameFree(storedAccess.roles, { id: role.id, name: body.name, what: 'role' })
    const grants = toGrants(body.grants, await listSchemas(database))
    await updateRole(ctx, role.id, { name: body.name, description: body.description, grants })
    return { result: undefined }
  })
  return await getDatabaseRole(ctx, body.integration_trellis_code, body.role_trellis_code)
}

export async function deleteDatabaseRole(ctx: WorkspaceCtx, code: string, roleCode: string): Promise<{ done: true }> {
  return await changeAccess(ctx, code, async (ctx, database, storedAccess) => {
    await deleteRole(ctx, database, getOwnRole(storedAccess, roleCode).id)
    return { result: { done: true } as const }
  })
}

export function getOwnRole(storedAccess: StoredAccess, code: string): RoleRow {
  const role = getByCode(storedAccess.roles, code, 'role')
  if (role.is_built_in) throw new AppError('conflict', 'This role belongs to the workspace and can not be changed.')
  return role
}
