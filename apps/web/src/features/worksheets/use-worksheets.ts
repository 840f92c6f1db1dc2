import { useMemo } from 'react'
import { useCan, useCurrentWorkspace } from '../accounts/accounts.queries.ts'
import { worksheetPaths } from './worksheet-paths.ts'

/** The workspace as calls want it, the addresses of its worksheets and what may be done there. */
export function useWorksheets() {
  const { workspace } = useCurrentWorkspace()
  const { account_trellis_code, workspace_address } = workspace
  const paths = useMemo(
    () => worksheetPaths(`/${account_trellis_code}/${workspace_address}`),
    [account_trellis_code, workspace_address],
  )
  const params = useMemo(() => ({ account_trellis_code, workspace_address }), [account_trellis_code, workspace_address])
  const can = useCan()
  return { params, paths, can }
}

export type WorkspaceParams = ReturnType<typeof useWorksheets>['params']
