import type { Document } from '@trellis/contract/ai/documents.schemas'
import { FakeError } from '../fake-error.ts'
import type { Handler } from '../fake-handler.ts'
import type { FakeWorld } from '../fake-world.ts'

const AT = '2026-11-16T09:00:00.000Z'
const toPage = (items: readonly unknown[]) => ({ items, page: 1, pages: 1, total: items.length })

export const fakeDocument = (name: string, change: Partial<Document> = {}): Document => ({
  file_id: `file${name.replaceAll(/[^a-z]/g, '')}`,
  task_id: `task${name.replaceAll(/[^a-z]/g, '')}`,
  name,
  size_bytes: 2048,
  project_trellis_code: 'sales',
  conversation_trellis_code: null,
  status: 'completed',
  problem: null,
  page_count: null,
  passage_count: 3,
  is_cut: false,
  is_deleted: false,
  created_at: AT,
  ...change,
})

function listOnce(ai: FakeWorld['ai']) {
  const shown = toPage(ai.documents)
  ai.documents = ai.documents.map((document) =>
    document.status === 'in_progress' ? { ...document, status: 'completed', passage_count: 3 } : document,
  )
  return shown
}

const toTask = ({ task_id, file_id, name, status, problem, created_at }: Document) => ({
  task_id,
  file_id,
  name,
  status,
  problem,
  can_retry: status === 'failed',
  created_at,
  finished_at: status === 'in_progress' ? null : created_at,
})

function changeTask(ai: FakeWorld['ai'], task: string | undefined, change: Partial<Document>) {
  ai.documents = ai.documents.map((document) => (document.task_id === task ? { ...document, ...change } : document))
  const changed = ai.documents.find(({ task_id }) => task_id === task)
  if (!changed) throw new FakeError('not_found')
  return toTask(changed)
}

export const documentsHandlers: Record<string, Handler> = {
  listProjectDocuments: ({ ai }) => listOnce(ai),
  listConversationDocuments: ({ ai }) => listOnce(ai),
  listUploadTasks: ({ ai }) => toPage(ai.documents.map(toTask)),
  retryUploadTask: ({ ai }, { params }) => changeTask(ai, params['task_id'], { status: 'in_progress', problem: null }),
  cancelUploadTask: ({ ai }, { params }) =>
    changeTask(ai, params['task_id'], { status: 'failed', problem: 'Cancelled.' }),
  uploadConversationDocument: ({ ai }) => {
    const document = fakeDocument('attached.md', { status: 'in_progress', passage_count: 0 })
    ai.documents.unshift(document)
    return document
  },
  uploadProjectDocument: ({ ai }) => {
    const document = fakeDocument('uploaded.md', { status: 'in_progress', passage_count: 0 })
    ai.documents.unshift(document)
    return document
  },
  deleteDocument: ({ ai }, { params }) => {
    ai.documents = ai.documents.filter(({ file_id }) => file_id !== params['file_id'])
    return { done: true as const }
  },
}
