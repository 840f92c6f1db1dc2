import * as calls from '@trellis/contract/ai/scheduled-questions.endpoints'
import { useQuery } from '@tanstack/react-query'
import type { WorkspaceAddress } from '../../../api/workspace-address.ts'
import { apiQuery, useApiMutation, withDetail } from '../../../api/api-query.ts'

const REFRESH_MS = 10_000
const RUNNING_REFRESH_MS = 1000
const LIST = [calls.listScheduledQuestions]

/** Polls: answers arrive on a schedule. */
export function useScheduledQuestions(params: WorkspaceAddress) {
  return useQuery({
    ...apiQuery(calls.listScheduledQuestions, { params }),
    staleTime: 0,
    refetchInterval: ({ state }) => {
      const questions = state.data?.questions ?? []
      if (questions.some(({ is_running }) => is_running)) return RUNNING_REFRESH_MS
      return questions.length > 0 && REFRESH_MS
    },
  })
}

export function useCreateScheduledQuestion() {
  return useApiMutation(calls.createScheduledQuestion, {
    invalidates: LIST,
    successText: 'Question scheduled. The answers come by mail.',
  })
}

export function useUpdateScheduledQuestion() {
  return useApiMutation(calls.updateScheduledQuestion, {
    invalidates: LIST,
    errorText: withDetail('The scheduled question could not be changed.'),
  })
}

export function useRunScheduledQuestion() {
  return useApiMutation(calls.runScheduledQuestion, {
    invalidates: LIST,
    successText: 'The question is being asked. The answer comes by mail.',
    errorText: withDetail('The question could not be asked.'),
  })
}

export function useDeleteScheduledQuestion() {
  return useApiMutation(calls.deleteScheduledQuestion, {
    invalidates: LIST,
    successText: 'Scheduled question deleted.',
    errorText: withDetail('The scheduled question could not be deleted.'),
  })
}
