/**
 * The server enforces this table; the web hides or disables by it. A permission's scope says where the role is looked
 * up: nowhere, in the session, the account or the workspace.
 */
export const ACCOUNT_ROLES = ['owner', 'account_admin', 'account_view'] as const
export const WORKSPACE_ROLES = ['workspace_admin', 'workspace_editor', 'workspace_viewer'] as const

export type AccountRole = (typeof ACCOUNT_ROLES)[number]
export type WorkspaceRole = (typeof WORKSPACE_ROLES)[number]

const everyAccountRole = ACCOUNT_ROLES
const everyWorkspaceRole = WORKSPACE_ROLES
const writers = ['workspace_admin', 'workspace_editor'] as const
const accountAdmins = ['owner', 'account_admin'] as const

export const PERMISSIONS = {
  public: { scope: 'public' },
  'profile:self': { scope: 'profile' },
  'account:read': { scope: 'account', roles: everyAccountRole },
  'account:update': { scope: 'account', roles: accountAdmins },
  'account:delete': { scope: 'account', roles: ['owner'] },
  'account:leave': { scope: 'account', roles: everyAccountRole },
  'members:read': { scope: 'account', roles: everyAccountRole },
  'members:write': { scope: 'account', roles: accountAdmins },
  'billing:read': { scope: 'account', roles: accountAdmins },
  'billing:write': { scope: 'account', roles: accountAdmins },
  'usage:read': { scope: 'account', roles: everyAccountRole },
  'workspaces:create': { scope: 'account', roles: accountAdmins },
  'workspaces:delete': { scope: 'account', roles: accountAdmins },
  'audit:read': { scope: 'account', roles: accountAdmins },
  'workspace:read': { scope: 'workspace', roles: everyWorkspaceRole },
  'workspace:update': { scope: 'workspace', roles: ['workspace_admin'] },
  'explorer:read': { scope: 'workspace', roles: everyWorkspaceRole },
  'explorer:write': { scope: 'workspace', roles: writers },
  'explorer:manage': { scope: 'workspace', roles: ['workspace_admin'] },
  'uploads:write': { scope: 'workspace', roles: writers },
  'database-admin:read': { scope: 'workspace', roles: writers },
  'database-admin:write': { scope: 'workspace', roles: ['workspace_admin'] },
  'integrations:read': { scope: 'workspace', roles: everyWorkspaceRole },
  'integrations:write': { scope: 'workspace', roles: writers },
  'dataflows:read': { scope: 'workspace', roles: everyWorkspaceRole },
  'dataflows:write': { scope: 'workspace', roles: writers },
  'worksheets:read': { scope: 'workspace', roles: everyWorkspaceRole },
  /** Viewers may keep drafts on their own branch, but not publish. */
  'worksheets:draft': { scope: 'workspace', roles: everyWorkspaceRole },
  'worksheets:publish': { scope: 'workspace', roles: writers },
  'worksheets:manage': { scope: 'workspace', roles: ['workspace_admin'] },
  /** Runs under the person's database role: a viewer's is read-only. */
  'sql:run': { scope: 'workspace', roles: everyWorkspaceRole },
  'sql:manage': { scope: 'workspace', roles: ['workspace_admin'] },
  /** Queries run as a role that can read only the project's tables. */
  'ai:use': { scope: 'workspace', roles: everyWorkspaceRole },
  'ai:write': { scope: 'workspace', roles: writers },
  'invite:answer': { scope: 'profile' },
} as const satisfies Record<
  string,
  | { scope: 'public' | 'profile' }
  | { scope: 'account'; roles: readonly AccountRole[] }
  | { scope: 'workspace'; roles: readonly WorkspaceRole[] }
>

export type Permission = keyof typeof PERMISSIONS
export type ScopeOf<P extends Permission> = (typeof PERMISSIONS)[P]['scope']

/** Owner and account admin are admins of every workspace. */
export function toWorkspaceRole(accountRole: AccountRole, given: WorkspaceRole | null): WorkspaceRole | null {
  return accountRole === 'account_view' ? given : 'workspace_admin'
}

export interface CallerRoles {
  accountRole: AccountRole | null
  workspaceRole: WorkspaceRole | null
}

export function allows(permission: Permission, standing: CallerRoles): boolean {
  const rule = PERMISSIONS[permission]
  switch (rule.scope) {
    case 'public':
    case 'profile':
      return true
    case 'account':
      return standing.accountRole !== null && (rule.roles as readonly string[]).includes(standing.accountRole)
    case 'workspace':
      return standing.workspaceRole !== null && (rule.roles as readonly string[]).includes(standing.workspaceRole)
  }
}
