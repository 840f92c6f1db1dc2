import * as calls from '@trellis/contract/runs/inbound-webhooks.endpoints'
import type { NewInboundWebhook } from '@trellis/contract/runs/inbound-webhooks.schemas'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, useApiMutation } from '../../../api/api-query.ts'
import { useDataflowsScope } from '../dataflows.queries.ts'

/** Polling interval of the last call. */
const LAST_CALL_MS = 5000

export function useWebhook(dataflow: string) {
  const { address } = useDataflowsScope()
  return useQuery({
    ...apiQuery(calls.getInboundWebhook, { params: { ...address, trellis_code: dataflow } }),
    staleTime: 0,
    refetchInterval: LAST_CALL_MS,
  })
}

const invalidates = [calls.getInboundWebhook]

/** On the mutation: the component that called it may be unmounted. */
type SuccessHandler<Result> = (result: Result) => void

export const useCreateWebhook = (onSuccess: SuccessHandler<NewInboundWebhook>) =>
  useApiMutation(calls.createInboundWebhook, { invalidates, onSuccess })
export const useRotateWebhook = (onSuccess: SuccessHandler<NewInboundWebhook>) =>
  useApiMutation(calls.rotateInboundWebhook, { invalidates, onSuccess })
export const useDeleteWebhook = (onSuccess: SuccessHandler<unknown>) =>
  useApiMutation(calls.deleteInboundWebhook, {
    invalidates,
    onSuccess,
    successText: 'The webhook URL was removed.',
  })
