import type { WorkspaceRole } from '@trellis/contract/core/permissions'
import type { WorkspaceRoleGrant } from './members.repository.ts'
import { findWorkspaceRole } from './role-ids.ts'

export function parseWorkspaceRoles(
  roles: readonly { workspace_trellis_code: string; workspace_role_id: number }[],
  workspaceIds: ReadonlyMap<string, number>,
): WorkspaceRoleGrant[] | undefined {
  const given = new Map<number, WorkspaceRole>()
  for (const { workspace_trellis_code, workspace_role_id } of roles) {
    const id = workspaceIds.get(workspace_trellis_code)
    const role = findWorkspaceRole(workspace_role_id)
    if (id === undefined || role === undefined) return undefined
    given.set(id, role)
  }
  return [...given].map(([workspace_id, role]) => ({ workspace_id, role }))
}
