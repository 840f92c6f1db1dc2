import type { AccountRole, WorkspaceRole } from '@trellis/contract/core/permissions'

type AssignableRole = Exclude<AccountRole, 'owner'> | WorkspaceRole

export const ROLES: Record<AssignableRole, { label: string; hint: string }> = {
  account_admin: { label: 'Full control', hint: 'Admin-level permissions on all workspaces, and the account itself.' },
  account_view: { label: 'Partial access', hint: 'Only the workspaces you choose, each with its own role.' },
  workspace_viewer: { label: 'Viewer', hint: 'View integrations and dataflows.' },
  workspace_editor: { label: 'Editor', hint: 'Create and edit integrations and dataflows.' },
  workspace_admin: { label: 'Admin', hint: 'Full access to the workspace and all resources.' },
}

type Role = { id: number; name: string }

export function getRoleLabel(roles: readonly Role[], id: number): string {
  const name = roles.find((role) => role.id === id)?.name
  return name !== undefined && name in ROLES ? ROLES[name as AssignableRole].label : (name ?? '')
}

export function getRoleId(roles: readonly Role[], name: AssignableRole): number {
  const foundRole = roles.find((role) => role.name === name)
  if (!foundRole) throw new Error(`The server knows no role ${name}`)
  return foundRole.id
}
