import * as calls from '@trellis/contract/actions/actions.endpoints'
import type { ActionItem, ActionType } from '@trellis/contract/actions/actions.schemas'
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { apiQuery, useApiMutation, withDetail } from '../../../api/api-query.ts'
import type { WorkspaceParams } from '../use-ai.ts'

interface Needed {
  isNeeded: boolean
}

export function useActions(params: WorkspaceParams, { isNeeded }: Needed) {
  return useQuery({ ...apiQuery(calls.listActions, { params }), enabled: isNeeded })
}

export function useActionChoices(params: WorkspaceParams, action_type: ActionType | null) {
  const input = { params: { ...params, action_type: action_type ?? 'help' }, query: {} }
  const query = apiQuery(calls.getAction, input)
  return useQuery({ ...query, ...(action_type === null && { queryFn: skipToken }) })
}

export function useResources(params: WorkspaceParams, { isNeeded }: Needed) {
  return useQuery({ ...apiQuery(calls.listActionResources, { params, query: {} }), enabled: isNeeded })
}

/** Another tab may decide it: a tab that is looked at again asks anew. */
export function useActionItem(params: WorkspaceParams, action_id: string) {
  return useQuery({
    ...apiQuery(calls.getActionItem, { params: { ...params, action_id } }),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  })
}

export function useDecideAction(params: WorkspaceParams) {
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
