import * as calls from '@trellis/contract/ai/documents.endpoints'
import { type Route, handle } from '../../../http/handle.ts'
import {
  addText,
  cancelUploadTask,
  deleteDocument,
  getDocument,
  getUploadTask,
  listConversationDocuments,
  listProjectDocuments,
  listProjectUploads,
  listUploadTasks,
  receiveConversationDocument,
  receiveDocument,
  receiveProjectDocument,
  retryUploadTask,
} from './documents.ts'

export const documentsRoutes: readonly Route[] = [
  handle(calls.listProjectDocuments, ({ params, query }, ctx) =>
    listProjectDocuments(ctx, params.project_trellis_code, query),
  ),
  handle(calls.listProjectUploads, ({ params, query }, ctx) =>
    listProjectUploads(ctx, params.project_trellis_code, query),
  ),
  handle(calls.listConversationDocuments, ({ params, query }, ctx) =>
    listConversationDocuments(ctx, params.conversation_trellis_code, query),
  ),
  handle(calls.uploadProjectDocument, ({ params }, ctx) => receiveProjectDocument(ctx, params.project_trellis_code)),
  handle(calls.uploadConversationDocument, ({ params }, ctx) =>
    receiveConversationDocument(ctx, params.conversation_trellis_code),
  ),
  handle(calls.uploadDocument, (_, ctx) => receiveDocument(ctx)),
  handle(calls.uploadText, ({ body }, ctx) => addText(ctx, body)),
  handle(calls.getDocument, ({ params }, ctx) => getDocument(ctx, params.file_id)),
  handle(calls.deleteDocument, ({ params }, ctx) => deleteDocument(ctx, params.file_id)),
  handle(calls.listUploadTasks, ({ query }, ctx) => listUploadTasks(ctx, query)),
  handle(calls.getUploadTask, ({ params }, ctx) => getUploadTask(ctx, params.task_id)),
  handle(calls.retryUploadTask, ({ params }, ctx) => retryUploadTask(ctx, params.task_id)),
  handle(calls.cancelUploadTask, ({ params }, ctx) => cancelUploadTask(ctx, params.task_id)),
]
