import { WORKSPACE_ROLES, type WorkspaceRole, toWorkspaceRole } from '@trellis/contract/core/permissions'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { findRolesInWorkspaces, findWorkspaceMembers } from './workspace-members.repository.ts'

interface PersonRow {
  id: number
  trellis_user_code: string
  first_name: string
  surname: string
  email: string
}

export const toProfile = ({ id, trellis_user_code, first_name, surname, email }: PersonRow) => ({
  id,
  trellis_user_code,
  first_name,
  surname,
  email,
  verified_email: true,
})

export async function listWorkspaceMembers(ctx: WorkspaceCtx) {
  const rows = await findWorkspaceMembers(ctx, ctx.workspace.id)
  return rows.flatMap((row) => {
    const role = toWorkspaceRole(row.role, row.given)
    return role ? [{ role, profile: toProfile(row) }] : []
  })
}

interface RoleScope {
  readonly workspace: { readonly id: number; readonly role: WorkspaceRole }
  readonly profileId: number
}

/** For work that outlives its request: checks that permissions still hold. */
export async function listKeptRoles(
  ctx: Pick<WorkspaceCtx, 'db' | 'account'>,
  people: readonly RoleScope[],
): Promise<boolean[]> {
  const places = people.map(({ workspace, profileId }) => ({ workspaceId: workspace.id, profileId }))
  const rows = await findRolesInWorkspaces(ctx, places)
  return people.map(({ workspace, profileId }) => {
    const row = rows.find((roleRow) => roleRow.workspace_id === workspace.id && roleRow.profile_id === profileId)
    const role = row ? toWorkspaceRole(row.role, row.given) : null
    return role !== null && WORKSPACE_ROLES.indexOf(role) <= WORKSPACE_ROLES.indexOf(workspace.role)
  })
}

export async function hasKeptRole(ctx: Pick<WorkspaceCtx, 'db' | 'account' | 'workspace' | 'actor'>): Promise<boolean> {
  const [isKept] = await listKeptRoles(ctx, [{ workspace: ctx.workspace, profileId: ctx.actor.profileId }])
  return isKept === true
}
