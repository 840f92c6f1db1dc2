import { arrangeDashboard, getWorkspaceDashboard } from '@trellis/contract/dashboard/dashboard.endpoints'
import type { TilePlace } from '@trellis/contract/dashboard/dashboard.schemas'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { WorkspaceAddress } from '../../../api/workspace-address.ts'
import { apiQuery } from '../../../api/api-query.ts'
import { call } from '../../../api/call.ts'

/** Polling interval while something runs. */
const RUNNING_MS = 5_000
const QUIET_MS = 60_000

export function useDashboard(params: WorkspaceAddress) {
  return useQuery({
    ...apiQuery(getWorkspaceDashboard, { params }),
    // For tabs left open, or tiles arranged in another tab.
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) =>
      state.data && state.data.dataflows.running + state.data.dataflows.queued > 0 ? RUNNING_MS : QUIET_MS,
  })
}

/** Optimistic; moves are sent one by one. */
export function useArrangeTiles(params: WorkspaceAddress) {
  const client = useQueryClient()
  const { queryKey } = apiQuery(getWorkspaceDashboard, { params })
  return useMutation({
    scope: { id: arrangeDashboard.id },
    mutationFn: (tiles: readonly TilePlace[]) => call(arrangeDashboard, { params, body: { tiles: [...tiles] } }),
    meta: { texts: { errorText: 'The tiles could not be arranged.' } },
    onMutate: async (tiles) => {
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, (now) => now && { ...now, tile_order: [...tiles] })
    },
    onError: () => client.invalidateQueries({ queryKey }),
  })
}
