import { purgeDeletion, listDeletions, restoreDeletion } from '@trellis/contract/explorer/recycle-bin.endpoints'
import { useQuery } from '@tanstack/react-query'
import type { WorkspaceAddress } from '../../api/workspace-address.ts'
import { apiQuery, useApiMutation } from '../../api/api-query.ts'
import { useRefreshNames } from './explorer.queries.ts'

export function useDeletions(params: WorkspaceAddress) {
  return useQuery({ ...apiQuery(listDeletions, { params }), staleTime: 0 })
}

export function useRestoreDeletion() {
  const refresh = useRefreshNames()
  return useApiMutation(restoreDeletion, { invalidates: [listDeletions], onSuccess: refresh })
}

export function usePurgeDeletion() {
  return useApiMutation(purgeDeletion, { invalidates: [listDeletions], successText: 'Deleted for good.' })
}
