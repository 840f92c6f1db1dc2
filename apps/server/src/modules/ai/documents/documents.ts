import { AI_PAGE } from '@trellis/contract/ai/ai.schemas'
import type * as ai from '@trellis/contract/ai/ai.schemas'
import * as schemas from '@trellis/contract/ai/documents.schemas'
import { allows } from '@trellis/contract/core/permissions'
import { transaction } from '@trellis/control-db/database'
import { enqueue } from '@trellis/jobs/enqueue'
import type * as z from 'zod/mini'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { lockLimit } from '../../../platform/limit-lock.ts'
import { generateTrellisCode } from '../../../platform/trellis-code.ts'
import { readDocument } from '../ai.jobs.ts'
import { getConversationRow } from '../find-conversation.ts'
import { toPaging } from '../../../platform/paging.ts'
import { getProjectRow } from '../../ai-projects/projects.service.ts'
import {
  type DocumentRow,
  cancelDocument,
  countDocuments,
  countKeptDocuments,
  deleteDocumentRow,
  findDocument,
  findDocuments,
  findFirstPassages,
  insertDocument,
  restartDocument,
} from './documents.repository.ts'

const MAX_LISTED = 1000
const PREVIEW_PASSAGES = 3
const MAX_NAME = 200
const NOT_THERE = 'There is nothing at this address, or you have no access to it.'

const toDocument = (row: DocumentRow): schemas.Document => ({
  file_id: row.trellis_code,
  task_id: row.task_code,
  name: row.name,
  size_bytes: row.size_bytes,
  project_trellis_code: row.project_code,
  conversation_trellis_code: row.conversation_code,
  status: row.status,
  problem: row.problem,
  page_count: row.page_count,
  passage_count: row.passage_count,
  is_cut: row.is_cut,
  is_deleted: row.deleted_at !== null,
  created_at: row.created_at.toISOString(),
})

const toTask = (row: DocumentRow): schemas.UploadTask => ({
  task_id: row.task_code,
  file_id: row.trellis_code,
  name: row.name,
  status: row.status,
  problem: row.problem,
  can_retry: row.status === 'failed' && row.has_content,
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
})

async function getRow(ctx: WorkspaceCtx, by: Parameters<typeof findDocument>[1]): Promise<DocumentRow> {
  const row = await findDocument(ctx, by)
  if (!row) throw new AppError('not_found', NOT_THERE)
  return row
}

export async function listProjectDocuments(
  ctx: WorkspaceCtx,
  code: string,
  { page = 1 }: z.infer<typeof ai.PageQuery>,
): Promise<z.infer<typeof schemas.Documents>> {
  const filter = { projectId: (await getProjectRow(ctx, code)).id }
  const paging = toPaging({ total: await countDocuments(ctx, filter), page, size: AI_PAGE })
  const rows = await findDocuments(ctx, filter, paging)
  return { items: rows.map((row) => toDocument(row)), page: paging.page, pages: paging.pages, total: paging.total }
}

export async function listConversationDocuments(
  ctx: WorkspaceCtx,
  code: string,
  { page = 1 }: z.infer<typeof ai.PageQuery>,
): Promise<z.infer<typeof schemas.Documents>> {
  const filter = { conversationId: (await getConversationRow(ctx, code)).id }
  const paging = toPaging({ total: await countDocuments(ctx, filter), page, size: AI_PAGE })
  const rows = await findDocuments(ctx, filter, paging)
  return { items: rows.map((row) => toDocument(row)), page: paging.page, pages: paging.pages, total: paging.total }
}

export async function listProjectUploads(
  ctx: WorkspaceCtx,
  code: string,
  { include_deleted = false }: z.infer<typeof schemas.FilesQuery>,
): Promise<z.infer<typeof schemas.DocumentFiles>> {
  const filter = { projectId: (await getProjectRow(ctx, code)).id, withDeleted: include_deleted }
  const rows = await findDocuments(ctx, filter, { limit: MAX_LISTED, offset: 0 })
  return { files: rows.map((row) => toDocument(row)) }
}

export async function listUploadTasks(
  ctx: WorkspaceCtx,
  { page = 1 }: z.infer<typeof ai.PageQuery>,
): Promise<z.infer<typeof schemas.UploadTasks>> {
  const paging = toPaging({ total: await countDocuments(ctx, {}), page, size: AI_PAGE })
  const rows = await findDocuments(ctx, {}, paging)
  return { items: rows.map((row) => toTask(row)), page: paging.page, pages: paging.pages, total: paging.total }
}

export const getUploadTask = async (ctx: WorkspaceCtx, task: string): Promise<schemas.UploadTask> =>
  toTask(await getRow(ctx, { task }))

export async function getDocument(ctx: WorkspaceCtx, file: string): Promise<z.infer<typeof schemas.DocumentWithText>> {
  const row = await getRow(ctx, { file })
  const passages = await findFirstPassages(ctx, row.id, PREVIEW_PASSAGES)
  return { ...toDocument(row), preview: passages.join('\n\n') }
}

async function getChangeableRow(ctx: WorkspaceCtx, by: Parameters<typeof findDocument>[1]): Promise<DocumentRow> {
  const row = await getRow(ctx, by)
  const callerRoles = { accountRole: ctx.account.role, workspaceRole: ctx.workspace.role }
  if (row.profile_id !== ctx.actor.profileId && !allows('ai:write', callerRoles)) {
    throw new AppError('not_found', NOT_THERE)
  }
  return row
}

export async function retryUploadTask(ctx: WorkspaceCtx, task: string): Promise<schemas.UploadTask> {
  const { id, name } = await getChangeableRow(ctx, { task })
  await transaction(ctx, async (ctx) => {
    if (!(await restartDocument(ctx, id))) {
      throw new AppError('conflict', 'This document was read, is being read, or its file is gone.')
    }
    await enqueue(ctx, readDocument, { document_id: id }, { group: String(ctx.workspace.id) })
  })
  ctx.http.addAuditDetail({ document: name })
  return await getUploadTask(ctx, task)
}

export async function cancelUploadTask(ctx: WorkspaceCtx, task: string): Promise<schemas.UploadTask> {
  const { id, name } = await getChangeableRow(ctx, { task })
  await cancelDocument(ctx, id, ctx.clock.now())
  ctx.http.addAuditDetail({ document: name })
  return await getUploadTask(ctx, task)
}

export async function deleteDocument(ctx: WorkspaceCtx, file: string): Promise<{ done: true }> {
  const row = await getChangeableRow(ctx, { file })
  await transaction(ctx, async (ctx) => await deleteDocumentRow(ctx, row.id, ctx.clock.now()))
  ctx.http.addAuditDetail({ document: row.name })
  return { done: true }
}

interface DocumentOwner {
  readonly project_id: number | null
  readonly conversation_id: number | null
}

export async function receiveProjectDocument(ctx: WorkspaceCtx, code: string): Promise<schemas.Document> {
  const { id } = await getProjectRow(ctx, code)
  return await receive(ctx, { project_id: id, conversation_id: null })
}

export async function receiveConversationDocument(ctx: WorkspaceCtx, code: string): Promise<schemas.Document> {
  const { id } = await getConversationRow(ctx, code)
  return await receive(ctx, { project_id: null, conversation_id: id })
}

export const receiveDocument = async (ctx: WorkspaceCtx): Promise<schemas.Document> =>
  await receive(ctx, { project_id: null, conversation_id: null })

async function receive(ctx: WorkspaceCtx, owner: DocumentOwner): Promise<schemas.Document> {
  const chunks: Buffer[] = []
  let name = ''
  const { isWhole } = await ctx.http.form({
    maxBytes: schemas.MAX_DOCUMENT_BYTES,
    take: async (file, fileName) => {
      name = fileName
      for await (const chunk of file) chunks.push(chunk as Buffer)
    },
  })
  if (!isWhole) throw new AppError('body_too_large', 'A document may have at most 20 MB.')
  const content = Buffer.concat(chunks)
  if (content.length === 0) throw new AppError('upload_refused', 'The file is empty.')
  return await addDocument(ctx, { ...owner, name: toFileName(name), content })
}

/** Browsers may send a path; invisible characters are removed. */
function toFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  return last.toWellFormed().replaceAll(/\p{C}/gu, '').trim().slice(-MAX_NAME) || 'Document'
}

export async function addText(ctx: WorkspaceCtx, body: schemas.TextUploadRequest): Promise<schemas.Document> {
  const project = body.project_trellis_code ? await getProjectRow(ctx, body.project_trellis_code) : undefined
  const content = Buffer.from(body.text, 'utf8')
  return await addDocument(ctx, { project_id: project?.id ?? null, conversation_id: null, name: body.name, content })
}

async function addDocument(
  ctx: WorkspaceCtx,
  document: DocumentOwner & { name: string; content: Buffer },
): Promise<schemas.Document> {
  const trellis_code = generateTrellisCode()
  await transaction(ctx, async (ctx) => {
    await lockLimit(ctx, 'documents', ctx.workspace.id)
    if ((await countKeptDocuments(ctx)) >= schemas.MAX_DOCUMENTS) {
      const message = `A workspace can have ${schemas.MAX_DOCUMENTS} documents. Delete one that is not needed.`
      throw new AppError('limit_reached', message)
    }
    const task_code = generateTrellisCode()
    const id = await insertDocument(ctx, { ...document, trellis_code, task_code, created_at: ctx.clock.now() })
    await enqueue(ctx, readDocument, { document_id: id }, { group: String(ctx.workspace.id) })
  })
  ctx.http.addAuditDetail({ document: document.name })
  return toDocument(await getRow(ctx, { file: trellis_code }))
}
