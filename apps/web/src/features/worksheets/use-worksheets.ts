import { allows, type Permission } from '@trellis/contract/core/permissions'
import { useMemo } from 'react'
import { useCurrentWorkspace } from '../accounts/accounts.queries.ts'
import { worksheetPaths } from './worksheet-paths.ts'

/** The workspace as calls want it, the addresses of its worksheets and what may be done there. */
export function useWorksheets() {
  const { account, workspace } = useCurrentWorkspace()
  const { account_trellis_code, workspace_address } = workspace
  const paths = useMemo(
    () => worksheetPaths(`/${account_trellis_code}/${workspace_address}`),
    [account_trellis_code, workspace_address],
  )
  const params = useMemo(() => ({ account_trellis_code, workspace_address }), [account_trellis_code, workspace_address])
  const can = (permission: Permission) =>
    allows(permission, { accountRole: account.role, workspaceRole: workspace.role })
  return { params, paths, can }
}

export type WorkspaceParams = ReturnType<typeof useWorksheets>['params']
