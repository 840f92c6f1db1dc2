import { allows } from '@trellis/contract/core/permissions'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { managedCode, openDatabase } from '../../platform/workspace-database/open-database.ts'
import { findStoredAccess } from './access.repository.ts'
import { listSchemas } from './roles.ts'

export interface SchemaAccess {
  readonly roles: readonly string[]
  readonly logins: readonly string[]
}

const NOBODY: SchemaAccess = { roles: [], logins: [] }

export async function readSchemaAccess(
  ctx: WorkspaceCtx,
  integrationCode: string,
  schemas: readonly string[],
): Promise<SchemaAccess> {
  const callerRoles = { accountRole: ctx.account.role, workspaceRole: ctx.workspace.role }
  const isOwn = integrationCode === managedCode(ctx.workspace.code)
  if (!isOwn || !allows('database-admin:read', callerRoles)) return NOBODY
  const database = await openDatabase(ctx, integrationCode)
  const storedAccess = await findStoredAccess(ctx, database)
  if (storedAccess.roles.every((role) => role.is_built_in) && storedAccess.profiles.length === 0) return NOBODY
  const tags = new Set((await listSchemas(database)).filter(({ name }) => schemas.includes(name)).map(({ tag }) => tag))
  const roles = storedAccess.roles.filter(({ grants }) => grants.some(({ tag }) => tag === null || tags.has(tag)))
  const ids = new Set(roles.map(({ id }) => id))
  const groups = new Set(
    storedAccess.groups.filter((group) => group.role_ids.some((id) => ids.has(id))).map(({ id }) => id),
  )
  const profiles = storedAccess.profiles.filter(
    (profile) => profile.role_ids.some((id) => ids.has(id)) || profile.group_ids.some((id) => groups.has(id)),
  )
  return {
    roles: roles.filter((role) => !role.is_built_in).map(({ name }) => name),
    logins: profiles.flatMap(({ name, logins }) => (name !== null && logins.length > 0 ? [name] : [])),
  }
}
