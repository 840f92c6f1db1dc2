import { defineEndpoint } from '../core/endpoint.ts'
import { Done, WorkspaceParams } from '../core/shapes.ts'
import { ConversationParams, PageQuery, ProjectParams } from './ai.schemas.ts'
import * as schemas from './documents.schemas.ts'

const feature = 'ai'
const root = '/:account_trellis_code/:workspace_address/ai'
const base = `${root}/upload`
const read = { feature, permission: 'ai:use', method: 'GET' } as const
const send = {
  feature,
  method: 'POST',
  response: schemas.Document,
  receives: 'multipart',
  errors: ['not_found', 'body_too_large', 'limit_reached', 'upload_refused'],
} as const

export const listProjectDocuments = defineEndpoint({
  ...read,
  id: 'listProjectDocuments',
  path: `${root}/project/:project_trellis_code/documents`,
  summary: 'Documents of an AI project, the latest first',
  params: ProjectParams,
  query: PageQuery,
  response: schemas.Documents,
  errors: ['not_found'],
})
export const listProjectUploads = defineEndpoint({
  ...read,
  id: 'listProjectUploads',
  path: `${base}/project/:project_trellis_code/files`,
  summary: 'Files sent to an AI project',
  params: ProjectParams,
  query: schemas.FilesQuery,
  response: schemas.DocumentFiles,
  errors: ['not_found'],
})
export const listConversationDocuments = defineEndpoint({
  ...read,
  id: 'listConversationDocuments',
  path: `${root}/conversation/:conversation_trellis_code/documents`,
  summary: 'Files attached to a conversation of mine, the latest first',
  params: ConversationParams,
  query: PageQuery,
  response: schemas.Documents,
  errors: ['not_found'],
})
export const uploadProjectDocument = defineEndpoint({
  ...send,
  permission: 'ai:write',
  id: 'uploadProjectDocument',
  path: `${base}/file/project/:project_trellis_code`,
  summary: 'Add a document to an AI project (multipart: file)',
  params: ProjectParams,
})
export const uploadConversationDocument = defineEndpoint({
  ...send,
  permission: 'ai:use',
  id: 'uploadConversationDocument',
  path: `${base}/file/conversation/:conversation_trellis_code`,
  summary: 'Attach a document to a conversation of mine (multipart: file)',
  params: ConversationParams,
})
export const uploadDocument = defineEndpoint({
  ...send,
  permission: 'ai:write',
  id: 'uploadDocument',
  path: `${base}/file`,
  summary: 'Add a document for all AI projects of the workspace (multipart: file)',
  params: WorkspaceParams,
})
export const uploadText = defineEndpoint({
  feature,
  permission: 'ai:write',
  id: 'uploadText',
  method: 'POST',
  path: `${base}/text`,
  summary: 'Add a text as a document',
  params: WorkspaceParams,
  body: schemas.TextUploadRequest,
  response: schemas.Document,
  creates: true,
  maxBodyBytes: 3 * 1024 * 1024,
  errors: ['not_found', 'limit_reached'],
})
export const getDocument = defineEndpoint({
  ...read,
  id: 'getDocument',
  path: `${base}/file/:file_id`,
  summary: 'A document and how its text begins',
  params: schemas.FileParams,
  response: schemas.DocumentWithText,
  errors: ['not_found'],
})
export const deleteDocument = defineEndpoint({
  feature,
  permission: 'ai:use',
  id: 'deleteDocument',
  method: 'DELETE',
  path: `${base}/file/:file_id`,
  summary: 'Delete a document: my own, or any of a project with the right to change projects',
  params: schemas.FileParams,
  response: Done,
  errors: ['not_found'],
})
export const listUploadTasks = defineEndpoint({
  ...read,
  id: 'listUploadTasks',
  path: `${base}/task`,
  summary: 'Documents being read or read before, the latest first',
  params: WorkspaceParams,
  query: PageQuery,
  response: schemas.UploadTasks,
})
export const getUploadTask = defineEndpoint({
  ...read,
  id: 'getUploadTask',
  path: `${base}/task/:task_id/status`,
  summary: 'Whether a document has been read',
  params: schemas.TaskParams,
  response: schemas.UploadTask,
  errors: ['not_found'],
})

export const retryUploadTask = defineEndpoint({
  feature,
  permission: 'ai:use',
  id: 'retryUploadTask',
  method: 'POST',
  path: `${base}/task/:task_id/retry`,
  summary:
    'Read a document again that could not be read: my own, or any of a project with the right to change projects',
  params: schemas.TaskParams,
  response: schemas.UploadTask,
  errors: ['not_found', 'conflict'],
})
export const cancelUploadTask = defineEndpoint({
  feature,
  permission: 'ai:use',
  id: 'cancelUploadTask',
  method: 'POST',
  path: `${base}/task/:task_id/cancel`,
  summary: 'Stop reading a document: my own, or any of a project with the right to change projects',
  params: schemas.TaskParams,
  response: schemas.UploadTask,
  errors: ['not_found'],
})

export const documentsEndpoints = [
  listProjectDocuments,
  listProjectUploads,
  listConversationDocuments,
  uploadProjectDocument,
  uploadConversationDocument,
  uploadDocument,
  uploadText,
  getDocument,
  deleteDocument,
  listUploadTasks,
  getUploadTask,
  retryUploadTask,
  cancelUploadTask,
]
