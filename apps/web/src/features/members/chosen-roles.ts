import type { MemberAccess } from '@trellis/contract/members/members.schemas'
import type { AccessLevel, WizardValues } from './add/wizard.ts'
import { getRoleId } from './role-labels.ts'

export interface ChosenRoles {
  level: AccessLevel
  roleByWorkspace: WizardValues['roles']
}

type Roles = readonly { id: number; name: string }[]

export function toChosenRoles({ account_role_id, workspace_roles }: MemberAccess, roles: Roles): ChosenRoles {
  return {
    level: account_role_id === getRoleId(roles, 'account_admin') ? 'account_admin' : 'account_view',
    roleByWorkspace: Object.fromEntries(
      workspace_roles.map((workspaceRole) => [workspaceRole.workspace_trellis_code, workspaceRole.workspace_role_id]),
    ),
  }
}

export function toAccess({ level, roleByWorkspace }: ChosenRoles, roles: Roles): MemberAccess {
  const entries = level === 'account_admin' ? [] : Object.entries(roleByWorkspace)
  return {
    account_role_id: getRoleId(roles, level),
    workspace_roles: entries.map(([workspace_trellis_code, workspace_role_id]) => ({
      workspace_trellis_code,
      workspace_role_id,
    })),
  }
}

export function isSameAccess(memberAccess: MemberAccess, workspaceRole: MemberAccess): boolean {
  const toText = ({ account_role_id, workspace_roles }: MemberAccess) =>
    JSON.stringify([
      account_role_id,
      workspace_roles.map((role) => `${role.workspace_trellis_code} ${role.workspace_role_id}`).toSorted(),
    ])
  return toText(memberAccess) === toText(workspaceRole)
}
