import type { Conversation, Message } from '@trellis/contract/ai/ai.schemas'
import * as calls from '@trellis/contract/ai/conversations.endpoints'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type * as z from 'zod/mini'
import type { WorkspaceAddress } from '../../api/workspace-address.ts'
import { ApiError } from '../../api/api-error.ts'
import { apiQuery, useApiMutation, withDetail } from '../../api/api-query.ts'
import { call } from '../../api/call.ts'

export type StoredConversation = z.infer<typeof Conversation>

const CHATS = [calls.listConversations]
const NOT_SENT = 'The question could not be sent.'

interface ChatsFilter {
  search: string
  project: string
  page: number
}

export function useConversations(params: WorkspaceAddress, { search, project, page }: ChatsFilter) {
  const query = { page, ...(search !== '' && { search }), ...(project !== '' && { project_trellis_code: project }) }
  return useQuery({
    ...apiQuery(calls.listConversations, { params, query }),
    staleTime: 0,
    placeholderData: (before) => before,
  })
}

export interface ChatParams extends WorkspaceAddress {
  conversation_trellis_code: string
}

/** Refetched on focus: another tab may have written. */
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

export function useReplaceMessage() {
  const client = useQueryClient()
  return (message: Message) =>
    void client.setQueriesData<StoredConversation>({ queryKey: [calls.getConversation.id] }, (before) =>
      before?.messages.some((candidate) => isSame(candidate, message))
        ? {
            ...before,
            messages: before.messages.map((candidate) => (isSame(candidate, message) ? message : candidate)),
          }
        : before,
    )
}

const isSame = (message: Message, other: Message): boolean =>
  message.message_trellis_code === other.message_trellis_code

/** A refetch may have added them already. */
export function useAppendMessages(params: ChatParams) {
  const client = useQueryClient()
  const { queryKey } = apiQuery(calls.getConversation, { params, query: {} })
  return (...messages: readonly Message[]) =>
    void client.setQueryData(queryKey, (before) => {
      if (!before) return before
      const added = messages.filter((message) => !before.messages.some((candidate) => isSame(candidate, message)))
      return { ...before, messages: [...before.messages, ...added] }
    })
}

export const isOutOfCredits = (error: unknown): boolean => error instanceof ApiError && error.code === 'credits_used_up'

/** Missing credits are shown above the question instead. */
const toSendProblem = (error: Error): string => (isOutOfCredits(error) ? '' : withDetail(NOT_SENT)(error))

export const useSendMessage = () => useApiMutation(calls.sendMessage, { errorText: toSendProblem })

/** Refetches the chat list only after an answer: earlier requests would delay its first part. */
export function useRefreshChats(going: string | undefined): void {
  const client = useQueryClient()
  useEffect(() => {
    if (going === undefined) return undefined
    return () => {
      for (const { id } of [...CHATS, calls.getConversationMetadata]) {
        void client.invalidateQueries({ queryKey: [id] })
      }
    }
  }, [client, going])
}

export function useStartConversation() {
  return useApiMutation(calls.createConversation, {
    invalidates: CHATS,
    errorText: withDetail('The chat could not be created.'),
  })
}

interface FirstQuestion {
  params: WorkspaceAddress
  project: string
  text: string
  engine: 'model' | 'rules'
}

/** A question that was not sent is returned as `draft`. */
export function useAskFirst() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ params, project, text, engine }: FirstQuestion) => {
      const created = await call(calls.createConversation, { params, body: { project_trellis_code: project } })
      const { conversation_trellis_code } = created
      const chatParams = { ...params, conversation_trellis_code }
      const body = { text, ...(engine === 'rules' && { engine }) }
      const problem = await call(calls.sendMessage, { params: chatParams, body }).then(
        () => null,
        (error: unknown) => ({ error }),
      )
      return {
        code: conversation_trellis_code,
        draft: problem ? text : null,
        needsCredits: problem !== null && isOutOfCredits(problem.error),
      }
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

export function useFeedback(params: WorkspaceAddress, message_trellis_code: string) {
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
