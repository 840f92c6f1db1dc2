import type { ConversationsQuery, MessageStatus } from '@trellis/contract/ai/ai.schemas'
import type { MessagePart } from '@trellis/contract/ai/message-parts.schemas'
import {
  type AccountScope,
  deleteScoped,
  insertScoped,
  scoped,
  updateScoped,
  type WorkspaceScope,
} from '@trellis/control-db/scoped'
import { sql } from 'kysely'

export interface PersonScope extends WorkspaceScope {
  readonly actor: { readonly profileId: number }
}

export interface ConversationRow {
  readonly id: number
  readonly trellis_code: string
  readonly project_id: number
  readonly project_code: string
  readonly name: string
  readonly message_count: number
  readonly created_at: Date
  readonly updated_at: Date
}

const selectOwnConversations = (ctx: PersonScope) =>
  scoped(ctx, 'ai_conversations')
    .innerJoin('ai_projects', 'ai_projects.id', 'ai_conversations.project_id')
    .where('ai_conversations.workspace_id', '=', ctx.workspace.id)
    .where('ai_conversations.profile_id', '=', ctx.actor.profileId)

const COLUMNS = [
  'ai_conversations.id',
  'ai_conversations.trellis_code',
  'ai_conversations.project_id',
  'ai_projects.trellis_code as project_code',
  'ai_conversations.name',
  'ai_conversations.created_at',
  'ai_conversations.updated_at',
] as const
const MESSAGES = sql<number>`(select count(*)::int from ai_messages m where m.conversation_id = ai_conversations.id)`

const MAX_RECENT = 8

export async function findRecentConversations(ctx: PersonScope) {
  return await selectOwnConversations(ctx)
    .select(['ai_conversations.trellis_code', 'ai_conversations.name', 'ai_conversations.updated_at'])
    .orderBy('ai_conversations.updated_at', 'desc')
    .limit(MAX_RECENT)
    .execute()
}

const escapeLike = (text: string) => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

function selectMatching(ctx: PersonScope, { project_trellis_code, search }: ConversationsQuery) {
  let query = selectOwnConversations(ctx)
  if (project_trellis_code) query = query.where('ai_projects.trellis_code', '=', project_trellis_code)
  if (search) {
    const wanted = escapeLike(search)
    query = query.where((where) =>
      where.or([
        where('ai_conversations.name', 'ilike', wanted),
        where.exists(
          where
            .selectFrom('ai_messages')
            .select('ai_messages.id')
            .whereRef('ai_messages.conversation_id', '=', 'ai_conversations.id')
            .where('ai_messages.text', 'ilike', wanted),
        ),
      ]),
    )
  }
  return query
}

export async function findConversations(
  ctx: PersonScope,
  query: ConversationsQuery,
  { limit, offset }: { limit: number; offset: number },
): Promise<ConversationRow[]> {
  return await selectMatching(ctx, query)
    .select(COLUMNS)
    .select(MESSAGES.as('message_count'))
    .orderBy('ai_conversations.updated_at', 'desc')
    .orderBy('ai_conversations.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

export async function countConversations(ctx: PersonScope, query: ConversationsQuery): Promise<number> {
  const row = await selectMatching(ctx, query)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

export async function findConversation(ctx: PersonScope, code: string): Promise<ConversationRow | undefined> {
  return await selectOwnConversations(ctx)
    .select(COLUMNS)
    .select(MESSAGES.as('message_count'))
    .where('ai_conversations.trellis_code', '=', code)
    .executeTakeFirst()
}

export async function insertConversation(
  ctx: PersonScope,
  conversation: { trellis_code: string; project_id: number; name: string },
): Promise<void> {
  const place = { workspace_id: ctx.workspace.id, profile_id: ctx.actor.profileId }
  await insertScoped(ctx, 'ai_conversations', { ...conversation, ...place }).execute()
}

export async function updateConversationRow(
  ctx: PersonScope,
  id: number,
  change: { name?: string; updated_at: Date },
): Promise<void> {
  await updateScoped(ctx, 'ai_conversations').set(change).where('id', '=', id).execute()
}

export async function deleteConversationRow(ctx: PersonScope, id: number): Promise<void> {
  await deleteScoped(ctx, 'ai_conversations').where('id', '=', id).execute()
}

export interface MessageRow {
  readonly id: number
  readonly conversation_id: number
  readonly conversation_code: string
  readonly trellis_code: string
  readonly role: 'user' | 'assistant'
  readonly status: MessageStatus
  readonly text: string
  readonly choices: Readonly<Record<string, string>>
  readonly parts: readonly MessagePart[]
  readonly sha: string
  readonly credits_spent: number
  readonly engine: 'rules' | 'model'
  readonly credits_reserved: number
  readonly attempt: number
  readonly heartbeat_at: Date
  readonly rating: 'up' | 'down' | null
  readonly created_at: Date
  readonly finished_at: Date | null
}

const MESSAGE_COLUMNS = [
  'ai_messages.id',
  'ai_messages.conversation_id',
  'ai_conversations.trellis_code as conversation_code',
  'ai_messages.trellis_code',
  'ai_messages.role',
  'ai_messages.status',
  'ai_messages.text',
  'ai_messages.choices',
  'ai_messages.parts',
  'ai_messages.sha',
  'ai_messages.credits_spent',
  'ai_messages.engine',
  'ai_messages.credits_reserved',
  'ai_messages.attempt',
  'ai_messages.heartbeat_at',
  'ai_feedback.rating',
  'ai_messages.created_at',
  'ai_messages.finished_at',
] as const

const selectMessages = (ctx: PersonScope) =>
  scoped(ctx, 'ai_messages')
    .innerJoin('ai_conversations', 'ai_conversations.id', 'ai_messages.conversation_id')
    .leftJoin('ai_feedback', 'ai_feedback.message_id', 'ai_messages.id')
    .select(MESSAGE_COLUMNS)
    .where('ai_conversations.workspace_id', '=', ctx.workspace.id)
    .where('ai_conversations.profile_id', '=', ctx.actor.profileId)

export async function findMessages(
  ctx: PersonScope,
  conversationId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<MessageRow[]> {
  const rows = await selectMessages(ctx)
    .where('ai_messages.conversation_id', '=', conversationId)
    .orderBy('ai_messages.id')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows as unknown as MessageRow[]
}

export async function findMessage(ctx: PersonScope, code: string): Promise<MessageRow | undefined> {
  const row = await selectMessages(ctx).where('ai_messages.trellis_code', '=', code).executeTakeFirst()
  return row as unknown as MessageRow | undefined
}

export async function countGoingAnswers(ctx: PersonScope): Promise<number> {
  const row = await scoped(ctx, 'ai_messages')
    .innerJoin('ai_conversations', 'ai_conversations.id', 'ai_messages.conversation_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('ai_conversations.profile_id', '=', ctx.actor.profileId)
    .where('ai_messages.status', 'in', ['creating', 'responding'])
    .executeTakeFirstOrThrow()
  return row.count
}

export async function insertMessage(
  ctx: AccountScope,
  message: Pick<MessageRow, 'trellis_code' | 'conversation_id' | 'role' | 'status' | 'text' | 'sha' | 'choices'> & {
    created_at: Date
    engine?: 'rules' | 'model'
    credits_reserved?: number
  },
): Promise<void> {
  const { choices, ...row } = message
  const values = { ...row, choices: JSON.stringify(choices), parts: '[]', heartbeat_at: row.created_at }
  await insertScoped(ctx, 'ai_messages', {
    ...values,
    cancel_requested_at: null,
    finished_at: row.role === 'user' ? row.created_at : null,
  }).execute()
}

export async function findPastMessages(
  ctx: AccountScope,
  { conversationId, before, limit }: { conversationId: number; before: number; limit: number },
): Promise<Pick<MessageRow, 'role' | 'text' | 'parts'>[]> {
  const rows = await scoped(ctx, 'ai_messages')
    .select(['role', 'text', 'parts'])
    .where('conversation_id', '=', conversationId)
    .where('id', '<', before)
    .where('status', '=', 'completed')
    .orderBy('id', 'desc')
    .offset(1)
    .limit(limit)
    .execute()
  return rows.toReversed() as unknown as Pick<MessageRow, 'role' | 'text' | 'parts'>[]
}

export async function sumReservedCredits(ctx: AccountScope): Promise<number> {
  const row = await scoped(ctx, 'ai_messages')
    .select(sql<number>`coalesce(sum(credits_reserved), 0)::int`.as('sum'))
    .where('status', 'in', ['creating', 'responding'])
    .where('credits_reserved', '>', 0)
    .executeTakeFirstOrThrow()
  return row.sum
}
