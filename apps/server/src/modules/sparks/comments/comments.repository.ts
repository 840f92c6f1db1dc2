import type { SparkCommentsQuery } from '@trellis/contract/sparks/spark-comments.schemas'
import { type AccountScope, deleteScoped, insertScoped, scoped, updateScoped } from '@trellis/control-db/scoped'
import { sql } from 'kysely'
import { toName } from '../sparks.repository.ts'

export interface CommentRow {
  readonly id: number
  readonly trellis_code: string
  readonly text: string
  readonly profile_id: number | null
  readonly author_code: string | null
  readonly author_name: string | null
  readonly created_at: Date
  readonly edited_at: Date | null
  readonly resolved_at: Date | null
  readonly resolver_name: string | null
}

export interface MentionRow {
  readonly comment_id: number
  readonly profile_id: number
  readonly trellis_user_code: string
  readonly name: string | null
}

const selectComments = (ctx: AccountScope, sparkId: number) =>
  scoped(ctx, 'spark_comments')
    .leftJoin('profiles as author', 'author.id', 'spark_comments.profile_id')
    .leftJoin('profiles as resolver', 'resolver.id', 'spark_comments.resolved_by')
    .where('spark_comments.spark_id', '=', sparkId)
    .select([
      'spark_comments.id',
      'spark_comments.trellis_code',
      'spark_comments.text',
      'spark_comments.profile_id',
      'spark_comments.created_at',
      'spark_comments.edited_at',
      'spark_comments.resolved_at',
      'author.trellis_user_code as author_code',
    ])
    .select([toName('author').as('author_name'), toName('resolver').as('resolver_name')])

export async function findComments(
  ctx: AccountScope,
  sparkId: number,
  { before, state, limit }: SparkCommentsQuery & { limit: number },
): Promise<CommentRow[]> {
  const beforeId = sql<number>`(select b.id from spark_comments b where b.trellis_code = ${before ?? ''}
    and b.spark_id = ${sparkId})`
  return await selectComments(ctx, sparkId)
    .$if(before !== undefined, (query) => query.where('spark_comments.id', '<', beforeId))
    .$if(state !== 'all', (query) =>
      query.where('spark_comments.resolved_at', state === 'open' ? 'is' : 'is not', null),
    )
    .orderBy('spark_comments.id', 'desc')
    .limit(limit)
    .execute()
}

export async function findComment(ctx: AccountScope, sparkId: number, code: string): Promise<CommentRow | undefined> {
  return await selectComments(ctx, sparkId).where('spark_comments.trellis_code', '=', code).executeTakeFirst()
}

export async function findMentions(ctx: AccountScope, commentIds: readonly number[]): Promise<MentionRow[]> {
  if (commentIds.length === 0) return []
  return await scoped(ctx, 'spark_comment_mentions')
    .innerJoin('profiles', 'profiles.id', 'spark_comment_mentions.profile_id')
    .select(['spark_comment_mentions.comment_id', 'spark_comment_mentions.profile_id', 'profiles.trellis_user_code'])
    .select(toName('profiles').as('name'))
    .where('spark_comment_mentions.comment_id', 'in', [...commentIds])
    .orderBy('spark_comment_mentions.profile_id')
    .execute()
}

export async function countComments(ctx: AccountScope, sparkId: number): Promise<number> {
  const row = await scoped(ctx, 'spark_comments')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('spark_id', '=', sparkId)
    .executeTakeFirstOrThrow()
  return row.count
}

export async function insertComment(
  ctx: AccountScope,
  row: { spark_id: number; trellis_code: string; profile_id: number; text: string; created_at: Date },
): Promise<number> {
  const made = await insertScoped(ctx, 'spark_comments', {
    ...row,
    edited_at: null,
    resolved_at: null,
    resolved_by: null,
  })
    .returning('id')
    .executeTakeFirstOrThrow()
  return made.id
}

export interface MentionChange {
  readonly added: readonly number[]
  readonly removed: readonly number[]
}

export async function replaceMentions(
  ctx: AccountScope,
  commentId: number,
  profileIds: readonly number[],
): Promise<MentionChange> {
  const keep = profileIds.length > 0 ? [...profileIds] : [-1]
  const removed = await deleteScoped(ctx, 'spark_comment_mentions')
    .where('comment_id', '=', commentId)
    .where('profile_id', 'not in', keep)
    .returning('profile_id')
    .execute()
  const added: number[] = []
  for (const profile_id of profileIds) {
    const row = await insertScoped(ctx, 'spark_comment_mentions', { comment_id: commentId, profile_id })
      .onConflict((conflict) => conflict.doNothing())
      .returning('profile_id')
      .executeTakeFirst()
    if (row) added.push(row.profile_id)
  }
  return { added, removed: removed.map((row) => row.profile_id) }
}

interface CommentChange {
  readonly text?: string
  readonly edited_at?: Date
  readonly resolved_at?: Date | null
  readonly resolved_by?: number | null
}

export async function updateComment(ctx: AccountScope, id: number, change: CommentChange): Promise<void> {
  await updateScoped(ctx, 'spark_comments').set(change).where('id', '=', id).execute()
}

export async function deleteComment(ctx: AccountScope, id: number): Promise<void> {
  await deleteScoped(ctx, 'spark_comments').where('id', '=', id).execute()
}
