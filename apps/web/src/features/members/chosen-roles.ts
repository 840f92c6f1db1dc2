import type { MemberAccess } from '@trellis/contract/members/members.schemas'
import type { AccessLevel, WizardValues } from './add/wizard.ts'
import { getRoleId } from './role-labels.ts'

export interface ChosenRoles {
  level: AccessLevel
  given: WizardValues['roles']
}

type Roles = readonly { id: number; name: string }[]

export function toChosen({ account_role_id, workspace_roles }: MemberAccess, roles: Roles): ChosenRoles {
  return {
    level: account_role_id === getRoleId(roles, 'account_admin') ? 'account_admin' : 'account_view',
    given: Object.fromEntries(workspace_roles.map((other) => [other.workspace_trellis_code, other.workspace_role_id])),
  }
}

export function toAccess({ level, given }: ChosenRoles, roles: Roles): MemberAccess {
  const entries = level === 'account_admin' ? [] : Object.entries(given)
  return {
    account_role_id: getRoleId(roles, level),
    workspace_roles: entries.map(([workspace_trellis_code, workspace_role_id]) => ({
      workspace_trellis_code,
      workspace_role_id,
    })),
  }
}

export function isSameAccess(memberAccess: MemberAccess, other: MemberAccess): boolean {
  const toText = ({ account_role_id, workspace_roles }: MemberAccess) =>
    JSON.stringify([
      account_role_id,
      workspace_roles.map((role) => `${role.workspace_trellis_code} ${role.workspace_role_id}`).toSorted(),
    ])
  return toText(memberAccess) === toText(other)
}
