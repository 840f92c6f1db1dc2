import { listAccounts, listDeleted } from '@trellis/contract/accounts/accounts.endpoints'
import { getPlanEnd, getRenewalLink, getUsage, listAccountLimits } from '@trellis/contract/billing/billing.endpoints'
import {
  createWorkspace,
  deleteWorkspace,
  getWorkspace,
  updateWorkspace,
} from '@trellis/contract/workspaces/workspaces.endpoints'
import type { Workspace } from '@trellis/contract/workspaces/workspaces.schemas'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { WorkspaceAddress } from '../../api/workspace-address.ts'
import { apiQuery, useApiMutation, withDetail } from '../../api/api-query.ts'

const ASK_AGAIN_MS = 700

export function useAccountLimits() {
  return useQuery(apiQuery(listAccountLimits, {}))
}

export function useCreateWorkspace() {
  return useApiMutation(createWorkspace, { errorText: withDetail('Failed to add workspace. Please try again.') })
}

export function useCreatedWorkspace(created: Workspace) {
  const { data, error } = useQuery({
    ...apiQuery(getWorkspace, { params: { account_trellis_code: created.account_trellis_code, id: created.id } }),
    initialData: created,
    staleTime: 0,
    refetchInterval: (query) => (query.state.data?.state === 'provisioning' ? ASK_AGAIN_MS : false),
  })
  return error?.code === 'not_found' ? ('failed' as const) : data.state
}

export function useRefreshWorkspaces(): () => Promise<void> {
  const client = useQueryClient()
  return useCallback(async () => {
    const stale = [listAccounts, listAccountLimits, getUsage, listDeleted]
    await Promise.all(stale.map(({ id }) => client.invalidateQueries({ queryKey: [id] })))
  }, [client])
}

export function useWorkspace({ account_trellis_code, workspace_address }: WorkspaceAddress) {
  return useQuery(apiQuery(getWorkspace, { params: { account_trellis_code, id: 0 }, query: { workspace_address } }))
}

export function useUpdateWorkspace() {
  return useApiMutation(updateWorkspace, {
    invalidates: [listAccounts, getWorkspace],
    successText: 'Changes successfully saved.',
    errorText: 'Failed to update workspace settings. Please try again.',
  })
}

export function useDeleteWorkspace() {
  return useApiMutation(deleteWorkspace)
}

export function usePlanEnd(address: WorkspaceAddress) {
  return useQuery(apiQuery(getPlanEnd, { params: address }))
}

export function useRenewalLink() {
  return useApiMutation(getRenewalLink, {
    errorText: 'Something went wrong. Please try again.',
    onSuccess: ({ url }) => location.assign(url),
  })
}
