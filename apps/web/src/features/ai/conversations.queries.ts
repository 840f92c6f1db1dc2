import type { Message } from '@trellis/contract/ai/ai.schemas'
import * as calls from '@trellis/contract/ai/conversations.endpoints'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { apiQuery, useApiMutation, withDetail } from '../../api/api-query.ts'
import { call } from '../../api/call.ts'
import type { WorkspaceParams } from './use-ai.ts'

const CHATS = [calls.listConversations]
const NOT_SENT = 'The question could not be sent.'

interface ChatsFilter {
  search: string
  project: string
  page: number
}

export function useConversations(params: WorkspaceParams, { search, project, page }: ChatsFilter) {
  const query = { page, ...(search !== '' && { search }), ...(project !== '' && { project_trellis_code: project }) }
  return useQuery({
    ...apiQuery(calls.listConversations, { params, query }),
    staleTime: 0,
    placeholderData: (before) => before,
  })
}

export interface ChatParams extends WorkspaceParams {
  conversation_trellis_code: string
}

/** The newest messages. A tab that is looked at again asks anew: another one may have written meanwhile. */
export function useConversation(params: ChatParams) {
  return useQuery({
    ...apiQuery(calls.getConversation, { params, query: {} }),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  })
}

export function useEarlierMessages(params: ChatParams, page: number) {
  return useQuery(apiQuery(calls.getConversation, { params, query: { page } }))
}

export function useConversationMetadata(params: ChatParams) {
  return useQuery({ ...apiQuery(calls.getConversationMetadata, { params }), staleTime: 0 })
}

/** Puts messages into the stored conversation: known ones are replaced, new ones come last. */
export function useStoreMessages(params: ChatParams) {
  const client = useQueryClient()
  const { queryKey } = apiQuery(calls.getConversation, { params, query: {} })
  return (...messages: readonly Message[]) =>
    client.setQueryData(queryKey, (before) => {
      if (!before) return before
      const rest = new Map(messages.map((one) => [one.message_trellis_code, one]))
      const merged = before.messages.map((one) => {
        const next = rest.get(one.message_trellis_code) ?? one
        rest.delete(one.message_trellis_code)
        return next
      })
      return { ...before, messages: [...merged, ...rest.values()] }
    })
}

export function useSendMessage() {
  return useApiMutation(calls.sendMessage, {
    invalidates: [...CHATS, calls.getConversationMetadata],
    errorText: withDetail(NOT_SENT),
  })
}

export function useStartConversation() {
  return useApiMutation(calls.createConversation, {
    invalidates: CHATS,
    errorText: withDetail('The chat could not be created.'),
  })
}

/** A new conversation with its first question. A question that was not sent comes back as `draft`. */
export function useAskFirst() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ params, project, text }: { params: WorkspaceParams; project: string; text: string }) => {
      const body = { project_trellis_code: project }
      const { conversation_trellis_code } = await call(calls.createConversation, { params, body })
      const place = { ...params, conversation_trellis_code }
      const isSent = await call(calls.sendMessage, { params: place, body: { text } }).then(
        () => true,
        () => false,
      )
      return { code: conversation_trellis_code, draft: isSent ? null : text }
    },
    meta: { texts: { errorText: withDetail(NOT_SENT) } },
    onSuccess: () => client.invalidateQueries({ queryKey: [calls.listConversations.id] }),
  })
}

export function useCancelAnswer() {
  return useApiMutation(calls.cancelMessage, { errorText: withDetail('The answer could not be stopped.') })
}

export function useRenameConversation() {
  return useApiMutation(calls.renameConversation, {
    invalidates: [...CHATS, calls.getConversation, calls.getConversationMetadata],
  })
}

export function useDeleteConversation() {
  return useApiMutation(calls.deleteConversation, {
    invalidates: CHATS,
    successText: 'Chat deleted.',
    errorText: withDetail('The chat could not be deleted.'),
  })
}

export function useFeedback(params: WorkspaceParams, message_trellis_code: string) {
  return useQuery({
    ...apiQuery(calls.getMessageFeedback, { params: { ...params, message_trellis_code } }),
    staleTime: 0,
  })
}

export function useRateMessage() {
  return useApiMutation(calls.rateMessage, {
    invalidates: [calls.getMessageFeedback],
    errorText: withDetail('The rating could not be saved.'),
  })
}
