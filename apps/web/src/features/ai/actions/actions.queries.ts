import * as calls from '@trellis/contract/actions/actions.endpoints'
import type { ActionItem, ActionType } from '@trellis/contract/actions/actions.schemas'
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import type { WorkspaceAddress } from '../../../api/workspace-address.ts'
import { apiQuery, useApiMutation, withDetail } from '../../../api/api-query.ts'

interface QueryCondition {
  isNeeded: boolean
}

export function useActions(params: WorkspaceAddress, { isNeeded }: QueryCondition) {
  return useQuery({ ...apiQuery(calls.listActions, { params }), enabled: isNeeded })
}

export function useActionChoices(params: WorkspaceAddress, action_type: ActionType | null) {
  const input = { params: { ...params, action_type: action_type ?? 'help' }, query: {} }
  const query = apiQuery(calls.getAction, input)
  return useQuery({ ...query, ...(action_type === null && { queryFn: skipToken }) })
}

export function useResources(params: WorkspaceAddress, { isNeeded }: QueryCondition) {
  return useQuery({ ...apiQuery(calls.listActionResources, { params, query: {} }), enabled: isNeeded })
}

/** Refetched on focus: another tab may decide it. */
export function useActionItem(params: WorkspaceAddress, action_id: string) {
  return useQuery({
    ...apiQuery(calls.getActionItem, { params: { ...params, action_id } }),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  })
}

export function useDecideAction(params: WorkspaceAddress) {
  const client = useQueryClient()
  const keep = (item: ActionItem) => {
    const { queryKey } = apiQuery(calls.getActionItem, { params: { ...params, action_id: item.action_id } })
    client.setQueryData(queryKey, item)
  }
  return useApiMutation(calls.decideActionItem, {
    onSuccess: keep,
    errorText: withDetail('The action could not be completed.'),
  })
}
