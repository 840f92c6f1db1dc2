import { allows, type Permission } from '@trellis/contract/core/permissions'
import { useCurrentWorkspace } from '../accounts/accounts.queries.ts'

export function useCan(): (permission: Permission) => boolean {
  const { account, workspace } = useCurrentWorkspace()
  return (permission) => allows(permission, { accountRole: account.role, workspaceRole: workspace.role })
}
