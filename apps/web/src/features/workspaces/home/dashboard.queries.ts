import { getWorkspaceDashboard } from '@trellis/contract/dashboard/dashboard.endpoints'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../../api/api-query.ts'

interface Address {
  account_trellis_code: string
  workspace_address: string
}

/** While something runs the figures change by themselves. */
const RUNNING_MS = 5_000
const QUIET_MS = 60_000

export function useDashboard(params: Address) {
  return useQuery({
    ...apiQuery(getWorkspaceDashboard, { params }),
    refetchInterval: ({ state }) =>
      state.data && state.data.dataflows.running + state.data.dataflows.queued > 0 ? RUNNING_MS : QUIET_MS,
  })
}
