import type { Db } from '@trellis/control-db/database'
import {
  type AccountScope,
  deleteScoped,
  insertScoped,
  scoped,
  updateScoped,
  type WorkspaceScope,
} from '@trellis/control-db/scoped'
import { sql } from 'kysely'
import type { PersonScope } from '../conversations.repository.ts'
import type { Passage } from './extract/split-passages.ts'

export interface DocumentRow {
  readonly id: number
  readonly trellis_code: string
  readonly task_code: string
  readonly profile_id: number | null
  readonly project_code: string | null
  readonly conversation_code: string | null
  readonly name: string
  readonly size_bytes: number
  readonly status: 'in_progress' | 'completed' | 'failed'
  readonly problem: string | null
  readonly page_count: number | null
  readonly passage_count: number
  readonly is_cut: boolean
  readonly deleted_at: Date | null
  readonly created_at: Date
  readonly finished_at: Date | null
  readonly has_content: boolean
}

const selectVisible = (ctx: PersonScope) =>
  scoped(ctx, 'ai_documents')
    .leftJoin('ai_projects', 'ai_projects.id', 'ai_documents.project_id')
    .leftJoin('ai_conversations', 'ai_conversations.id', 'ai_documents.conversation_id')
    .where('ai_documents.workspace_id', '=', ctx.workspace.id)
    .where((where) =>
      where.or([
        where('ai_documents.conversation_id', 'is', null),
        where('ai_conversations.profile_id', '=', ctx.actor.profileId),
      ]),
    )

const COLUMNS = [
  'ai_documents.id',
  'ai_documents.trellis_code',
  'ai_documents.task_code',
  'ai_documents.profile_id',
  'ai_projects.trellis_code as project_code',
  'ai_conversations.trellis_code as conversation_code',
  'ai_documents.name',
  'ai_documents.size_bytes',
  'ai_documents.status',
  'ai_documents.problem',
  'ai_documents.page_count',
  'ai_documents.passage_count',
  'ai_documents.is_cut',
  'ai_documents.deleted_at',
  'ai_documents.created_at',
  'ai_documents.finished_at',
] as const

const HAS_CONTENT = sql<boolean>`ai_documents.content is not null`.as('has_content')

interface DocumentFilter {
  readonly projectId?: number
  readonly conversationId?: number
  readonly withDeleted?: boolean
}

function selectMatching(ctx: PersonScope, { projectId, conversationId, withDeleted = false }: DocumentFilter) {
  let query = selectVisible(ctx)
  if (projectId !== undefined) query = query.where('ai_documents.project_id', '=', projectId)
  if (conversationId !== undefined) query = query.where('ai_documents.conversation_id', '=', conversationId)
  if (!withDeleted) query = query.where('ai_documents.deleted_at', 'is', null)
  return query
}

export async function findDocuments(
  ctx: PersonScope,
  filter: DocumentFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<DocumentRow[]> {
  return await selectMatching(ctx, filter)
    .select([...COLUMNS, HAS_CONTENT])
    .orderBy('ai_documents.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

export async function countDocuments(ctx: PersonScope, filter: DocumentFilter): Promise<number> {
  const row = await selectMatching(ctx, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

export async function findDocument(
  ctx: PersonScope,
  by: { file: string } | { task: string },
): Promise<DocumentRow | undefined> {
  const query = selectVisible(ctx).select([...COLUMNS, HAS_CONTENT])
  const found =
    'file' in by
      ? query.where('ai_documents.trellis_code', '=', by.file).where('ai_documents.deleted_at', 'is', null)
      : query.where('ai_documents.task_code', '=', by.task)
  return await found.executeTakeFirst()
}

export async function countKeptDocuments(ctx: WorkspaceScope): Promise<number> {
  const row = await scoped(ctx, 'ai_documents')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', ctx.workspace.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.count
}

export interface NewDocument {
  readonly trellis_code: string
  readonly task_code: string
  readonly project_id: number | null
  readonly conversation_id: number | null
  readonly name: string
  readonly content: Buffer
  readonly created_at: Date
}

export async function insertDocument(ctx: PersonScope, document: NewDocument): Promise<number> {
  const row = await insertScoped(ctx, 'ai_documents', {
    ...document,
    size_bytes: document.content.length,
    workspace_id: ctx.workspace.id,
    profile_id: ctx.actor.profileId,
    status: 'in_progress',
    problem: null,
    page_count: null,
    deleted_at: null,
    finished_at: null,
  })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export async function deleteDocumentRow(ctx: AccountScope, id: number, now: Date): Promise<void> {
  await deleteScoped(ctx, 'ai_passages').where('document_id', '=', id).execute()
  await updateScoped(ctx, 'ai_documents').set({ deleted_at: now, content: null }).where('id', '=', id).execute()
}

export async function findFirstPassages(ctx: AccountScope, id: number, limit: number): Promise<string[]> {
  const rows = await scoped(ctx, 'ai_passages')
    .select('text')
    .where('document_id', '=', id)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ text }) => text)
}

export async function findUnreadDocument(db: Db, id: number) {
  return await db
    .selectFrom('ai_documents')
    .select(['id', 'account_id', 'name', 'content'])
    .where('id', '=', id)
    .where('status', '=', 'in_progress')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

export async function restartDocument(ctx: AccountScope, id: number): Promise<boolean> {
  const row = await updateScoped(ctx, 'ai_documents')
    .set({ status: 'in_progress', problem: null, finished_at: null })
    .where('id', '=', id)
    .where('status', '=', 'failed')
    .where('content', 'is not', null)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function cancelDocument(ctx: AccountScope, id: number, now: Date): Promise<void> {
  await updateScoped(ctx, 'ai_documents')
    .set({ status: 'failed', problem: 'Cancelled.', finished_at: now })
    .where('id', '=', id)
    .where('status', '=', 'in_progress')
    .execute()
}

export async function isDocumentUnread(db: Db, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('ai_documents')
    .select('id')
    .where('id', '=', id)
    .where('status', '=', 'in_progress')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

export async function countUnreadOfConversation(ctx: AccountScope, conversationId: number): Promise<number> {
  const row = await scoped(ctx, 'ai_documents')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('conversation_id', '=', conversationId)
    .where('status', '=', 'in_progress')
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.count
}

const BATCH = 200

export async function insertPassages(
  db: Db,
  { id, account_id }: { id: number; account_id: number },
  passages: readonly Passage[],
): Promise<void> {
  for (let at = 0; at < passages.length; at += BATCH) {
    const values = passages.slice(at, at + BATCH).map((passage) => ({ ...passage, account_id, document_id: id }))
    await db.insertInto('ai_passages').values(values).execute()
  }
}

export type DocumentEnd =
  | { status: 'completed'; page_count: number | null; passage_count: number; is_cut: boolean; finished_at: Date }
  | { status: 'failed'; problem: string; finished_at: Date }

export async function endDocument(db: Db, id: number, end: DocumentEnd): Promise<boolean> {
  const row = await db
    .updateTable('ai_documents')
    .set({ ...end, ...(end.status === 'completed' && { content: null }) })
    .where('id', '=', id)
    .where('status', '=', 'in_progress')
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export interface FoundPassage {
  readonly file_id: string
  readonly file_name: string
  readonly page: number | null
  readonly heading: string | null
  readonly text: string
  /** Distinct words of the question that match, and all of them. */
  readonly matched: number
  readonly words: number
}

/** Ranked by matching words, among the documents this conversation may use. */
export async function searchPassages(
  ctx: WorkspaceScope,
  place: { projectId: number; conversationId: number | null },
  { text, limit }: { text: string; limit: number },
): Promise<FoundPassage[]> {
  const lexemes = sql<string[]>`tsvector_to_array(to_tsvector('english', ${text.replaceAll('\\', ' ')}))`
  const matched = sql<number>`cardinality(array(
    select unnest(tsvector_to_array(ai_passages.search)) intersect select unnest(asked.lexemes)))`
  return await scoped(ctx, 'ai_passages')
    .innerJoin('ai_documents', 'ai_documents.id', 'ai_passages.document_id')
    .innerJoin(
      sql<{ lexemes: string[]; query: string }>`(select l.lexemes, (select string_agg(quote_literal(one), ' | ')
        from unnest(l.lexemes) one)::tsquery as query from (select ${lexemes} as lexemes) l)`.as('asked'),
      (join) => join.onTrue(),
    )
    .select([
      'ai_documents.trellis_code as file_id',
      'ai_documents.name as file_name',
      'ai_passages.page',
      'ai_passages.heading',
      'ai_passages.text',
      matched.as('matched'),
      sql<number>`cardinality(asked.lexemes)`.as('words'),
    ])
    .where('ai_documents.workspace_id', '=', ctx.workspace.id)
    .where('ai_documents.deleted_at', 'is', null)
    .where((where) =>
      where.or([
        where('ai_documents.project_id', '=', place.projectId),
        where('ai_documents.conversation_id', '=', place.conversationId ?? -1),
        where.and([where('ai_documents.project_id', 'is', null), where('ai_documents.conversation_id', 'is', null)]),
      ]),
    )
    .where(sql<boolean>`ai_passages.search @@ asked.query`)
    .orderBy(sql`matched`, 'desc')
    .orderBy(sql`ts_rank_cd(ai_passages.search, asked.query)`, 'desc')
    .orderBy('ai_passages.id')
    .limit(limit)
    .execute()
}
