import * as calls from '@trellis/contract/ai/documents.endpoints'
import type { Document, UploadTask } from '@trellis/contract/ai/documents.schemas'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { WorkspaceAddress } from '../../../api/workspace-address.ts'
import { apiQuery, useApiMutation, withDetail } from '../../../api/api-query.ts'
import { sendForm } from '../../../api/send-form.ts'
import type { ChatParams } from '../conversations.queries.ts'

const REFRESH_MS = 1000
const LISTS = [calls.listProjectDocuments, calls.listConversationDocuments, calls.listUploadTasks]

const refreshWhileGoing = (items: readonly Pick<Document, 'status'>[] | undefined): number | false =>
  items?.some(({ status }) => status === 'in_progress') ? REFRESH_MS : false

export function useDocuments(params: WorkspaceAddress, project_trellis_code: string, page: number) {
  return useQuery({
    ...apiQuery(calls.listProjectDocuments, { params: { ...params, project_trellis_code }, query: { page } }),
    staleTime: 0,
    refetchInterval: ({ state }) => refreshWhileGoing(state.data?.items),
  })
}

export function useUploadTasks(params: WorkspaceAddress, page: number) {
  return useQuery({
    ...apiQuery(calls.listUploadTasks, { params, query: { page } }),
    staleTime: 0,
    refetchInterval: ({ state }) => refreshWhileGoing(state.data?.items satisfies UploadTask[] | undefined),
  })
}

export function useAttachments(params: ChatParams) {
  return useQuery({
    ...apiQuery(calls.listConversationDocuments, { params, query: {} }),
    staleTime: 0,
    refetchInterval: ({ state }) => refreshWhileGoing(state.data?.items),
  })
}

/** One by one: files that were sent stay when a later one fails. */
export function useAttachFiles() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ params, files }: { params: ChatParams; files: readonly File[] }) => {
      for (const file of files) await sendForm(calls.uploadConversationDocument, { params }, file)
    },
    meta: { texts: { errorText: withDetail('The file could not be attached.') } },
    onSettled: () => Promise.all(LISTS.map(({ id }) => client.invalidateQueries({ queryKey: [id] }))),
  })
}

export function useRetryTask() {
  return useApiMutation(calls.retryUploadTask, {
    invalidates: LISTS,
    errorText: withDetail('The document could not be read again.'),
  })
}

export function useCancelTask() {
  return useApiMutation(calls.cancelUploadTask, {
    invalidates: LISTS,
    errorText: withDetail('The job could not be cancelled.'),
  })
}

export function useUploadDocuments(params: WorkspaceAddress, project_trellis_code: string) {
  const client = useQueryClient()
  const input = { params: { ...params, project_trellis_code } }
  return useMutation({
    mutationFn: async (files: readonly File[]) => {
      for (const file of files) await sendForm(calls.uploadProjectDocument, input, file)
    },
    meta: { texts: { errorText: withDetail('The document could not be uploaded.') } },
    onSettled: () => Promise.all(LISTS.map(({ id }) => client.invalidateQueries({ queryKey: [id] }))),
  })
}

export function useDeleteDocument() {
  return useApiMutation(calls.deleteDocument, {
    invalidates: LISTS,
    successText: 'Document deleted.',
    errorText: withDetail('The document could not be deleted.'),
  })
}
