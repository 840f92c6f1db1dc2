import * as calls from '@trellis/contract/ai/models.endpoints'
import { getConversationMetadata } from '@trellis/contract/ai/conversations.endpoints'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, useApiMutation, withDetail } from '../../../api/api-query.ts'

const CHANGED = [calls.getAiModel, getConversationMetadata]

export function useAiModel(account_trellis_code: string) {
  return useQuery({ ...apiQuery(calls.getAiModel, { params: { account_trellis_code } }), staleTime: 0 })
}

/** The form shows why a model was refused. */
export function useUpdateAiModel() {
  return useApiMutation(calls.updateAiModel, { invalidates: CHANGED, successText: 'The model answered and is saved.' })
}

export function useDeleteAiModel() {
  return useApiMutation(calls.deleteAiModel, {
    invalidates: CHANGED,
    successText: 'Model removed.',
    errorText: withDetail('The model could not be removed.'),
  })
}
