import { AI_PAGE } from '@trellis/contract/ai/ai.schemas'
import type * as schemas from '@trellis/contract/ai/ai.schemas'
import type * as z from 'zod/mini'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { generateTrellisCode } from '../../platform/trellis-code.ts'
import {
  type ConversationRow,
  countConversations,
  deleteConversationRow,
  findConversations,
  findMessages,
  insertConversation,
  updateConversationRow,
} from './conversations.repository.ts'
import { UNNAMED, getConversationRow } from './find-conversation.ts'
import { toMessage } from './messages.service.ts'
import { findModel } from './model/model-settings.ts'
import { toPaging } from '../../platform/paging.ts'
import { getProjectRow } from '../ai-projects/projects.service.ts'
import { findAiProjectById } from '../ai-projects/projects.service.ts'

const toLine = ({
  trellis_code,
  project_code,
  created_at,
  updated_at,
  ...row
}: ConversationRow): schemas.ConversationLine => ({
  conversation_trellis_code: trellis_code,
  project_trellis_code: project_code,
  name: row.name,
  message_count: row.message_count,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
})

export async function createConversation(
  ctx: WorkspaceCtx,
  { project_trellis_code, name = UNNAMED }: z.infer<typeof schemas.CreateConversationRequest>,
): Promise<schemas.ConversationLine> {
  const project = await getProjectRow(ctx, project_trellis_code)
  const trellis_code = generateTrellisCode()
  await insertConversation(ctx, { trellis_code, project_id: project.id, name })
  return toLine(await getConversationRow(ctx, trellis_code))
}

export async function listConversations(
  ctx: WorkspaceCtx,
  query: schemas.ConversationsQuery,
): Promise<z.infer<typeof schemas.Conversations>> {
  // Postgres refuses NUL in a parameter.
  if (query.search?.includes('\0')) return { items: [], page: 1, pages: 1, total: 0 }
  const paging = toPaging({ total: await countConversations(ctx, query), page: query.page ?? 1, size: AI_PAGE })
  const rows = await findConversations(ctx, query, paging)
  return { items: rows.map((row) => toLine(row)), page: paging.page, pages: paging.pages, total: paging.total }
}

export async function getConversation(
  ctx: WorkspaceCtx,
  code: string,
  { page }: { page?: number | undefined },
): Promise<z.infer<typeof schemas.Conversation>> {
  const row = await getConversationRow(ctx, code)
  const paging = toPaging({ total: row.message_count, page: page ?? Number.MAX_SAFE_INTEGER, size: AI_PAGE })
  const rows = await findMessages(ctx, row.id, paging)
  return {
    ...toLine(row),
    messages: rows.map((messageRow) => toMessage(messageRow)),
    page: paging.page,
    pages: paging.pages,
  }
}

export async function getConversationMetadata(ctx: WorkspaceCtx, code: string): Promise<schemas.ConversationMetadata> {
  const row = await getConversationRow(ctx, code)
  const project = await findAiProjectById(ctx, row.project_id)
  const model = await findModel(ctx)
  return {
    ...toLine(row),
    project_name: project?.name ?? '',
    table_count: project?.table_count ?? 0,
    engine: model ? 'model' : 'rules',
    model: model?.settings.model ?? null,
    credits_per_answer: model?.creditsPerAnswer ?? 0,
  }
}

export async function renameConversation(
  ctx: WorkspaceCtx,
  code: string,
  name: string,
): Promise<schemas.ConversationLine> {
  const row = await getConversationRow(ctx, code)
  await updateConversationRow(ctx, row.id, { name, updated_at: ctx.clock.now() })
  return toLine(await getConversationRow(ctx, code))
}

export async function deleteConversation(ctx: WorkspaceCtx, code: string): Promise<{ done: true }> {
  const row = await getConversationRow(ctx, code)
  await deleteConversationRow(ctx, row.id)
  return { done: true }
}
