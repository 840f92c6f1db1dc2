import type { Endpoint } from '@trellis/contract/core/endpoint'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { UseMutationResult } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'
import { call } from './call.ts'

/** The query key is `[endpoint.id, input]`. */
export function apiQuery<Call, Handler, Result>(endpoint: Endpoint<Call, Handler, Result>, input: NoInfer<Call>) {
  return queryOptions<Result, ApiError, Result, readonly [string, Call]>({
    queryKey: [endpoint.id, input],
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
  })
}

/** An empty text shows no toast. */
type ErrorText = string | ((error: Error) => string)

export interface MutationTexts {
  successText?: string
  errorText?: ErrorText
}

interface ApiMutationOptions<Result> extends MutationTexts {
  /** Endpoints to refetch after success, whatever their input. */
  invalidates?: readonly Endpoint[]
  onSuccess?: (result: Result) => void | Promise<void>
}

/** The query client shows the texts as toasts. */
export function useApiMutation<Call, Handler, Result>(
  endpoint: Endpoint<Call, Handler, Result>,
  { invalidates = [], onSuccess, successText, errorText }: ApiMutationOptions<NoInfer<Result>> = {},
): UseMutationResult<Result, Error, Call> {
  const client = useQueryClient()
  const texts: MutationTexts = { ...(successText && { successText }), ...(errorText && { errorText }) }
  return useMutation<Result, Error, Call>({
    mutationKey: [endpoint.id],
    mutationFn: (input) => call(endpoint, input),
    meta: { texts },
    onSuccess: async (result) => {
      await Promise.all(invalidates.map(({ id }) => client.invalidateQueries({ queryKey: [id] })))
      await onSuccess?.(result)
    },
  })
}

export function withDetail(text: string): (error: Error) => string {
  return (error) => (error instanceof ApiError ? `${text} ${error.detail}` : text)
}
