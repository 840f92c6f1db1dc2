import { useMemo } from 'react'
import { useCan, useCurrentWorkspace } from '../accounts/accounts.queries.ts'
import { aiPaths } from './ai-paths.ts'

/** The workspace as calls take it, the addresses of its AI area and what the person may do there. */
export function useAi() {
  const { workspace } = useCurrentWorkspace()
  const { account_trellis_code, workspace_address } = workspace
  const paths = useMemo(
    () => aiPaths(`/${account_trellis_code}/${workspace_address}`),
    [account_trellis_code, workspace_address],
  )
  const params = useMemo(() => ({ account_trellis_code, workspace_address }), [account_trellis_code, workspace_address])
  const can = useCan()
  return { params, paths, can }
}

export type WorkspaceParams = ReturnType<typeof useAi>['params']
