import { allows, type Permission } from '@trellis/contract/core/permissions'
import { useMemo } from 'react'
import { useCurrentWorkspace } from '../accounts/accounts.queries.ts'
import { aiPaths } from './ai-paths.ts'

/** The workspace as calls take it, the addresses of its AI area and what the person may do there. */
export function useAi() {
  const { account, workspace } = useCurrentWorkspace()
  const { account_trellis_code, workspace_address } = workspace
  const paths = useMemo(
    () => aiPaths(`/${account_trellis_code}/${workspace_address}`),
    [account_trellis_code, workspace_address],
  )
  const params = useMemo(() => ({ account_trellis_code, workspace_address }), [account_trellis_code, workspace_address])
  const can = (permission: Permission) =>
    allows(permission, { accountRole: account.role, workspaceRole: workspace.role })
  return { params, paths, can }
}

export type WorkspaceParams = ReturnType<typeof useAi>['params']
