import { allows } from '@trellis/contract/core/permissions'
import * as schemas from '@trellis/contract/sparks/spark-comments.schemas'
import { transaction } from '@trellis/control-db/database'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { lockLimit } from '../../../platform/limit-lock.ts'
import { generateTrellisCode } from '../../../platform/trellis-code.ts'
import { listWorkspaceMembers } from '../../workspace-members/workspace-members.service.ts'
import type { SparkRow } from '../sparks.repository.ts'
import { getSparkRow } from '../versions.ts'
import * as repository from './comments.repository.ts'
import { notifyMentioned } from './notify-mentioned.ts'

interface CommentAddress {
  readonly spark_trellis_code: string
  readonly spark_comment_trellis_code: string
}

const canResolve = (ctx: WorkspaceCtx, profileId: number | null) =>
  profileId === ctx.actor.profileId ||
  allows('ai:write', { accountRole: ctx.account.role, workspaceRole: ctx.workspace.role })

const canDelete = (ctx: WorkspaceCtx, profileId: number | null) =>
  profileId === ctx.actor.profileId || ctx.workspace.role === 'workspace_admin'

async function toComments(ctx: WorkspaceCtx, rows: readonly repository.CommentRow[]): Promise<schemas.SparkComment[]> {
  if (rows.length === 0) return []
  const members = new Set((await listWorkspaceMembers(ctx)).map(({ profile }) => profile.id))
  const toPerson = (id: number, trellis_user_code: string, name: string | null): schemas.CommentPerson => ({
    trellis_user_code,
    name: name ?? 'Somebody without a name',
    is_member: members.has(id),
  })
  const mentionRows = await repository.findMentions(
    ctx,
    rows.map(({ id }) => id),
  )
  const mentions = Map.groupBy(mentionRows, (row) => row.comment_id)
  return rows.map((row) => ({
    spark_comment_trellis_code: row.trellis_code,
    text: row.text,
    mentions: (mentions.get(row.id) ?? []).map((mentionRow) =>
      toPerson(mentionRow.profile_id, mentionRow.trellis_user_code, mentionRow.name),
    ),
    author: row.profile_id === null ? null : toPerson(row.profile_id, row.author_code ?? '', row.author_name),
    is_mine: row.profile_id === ctx.actor.profileId,
    can_delete: canDelete(ctx, row.profile_id),
    can_resolve: canResolve(ctx, row.profile_id),
    created_at: row.created_at.toISOString(),
    edited_at: row.edited_at?.toISOString() ?? null,
    resolved_at: row.resolved_at?.toISOString() ?? null,
    resolved_by: row.resolver_name,
  }))
}

export async function listSparkComments(
  ctx: WorkspaceCtx,
  code: string,
  query: schemas.SparkCommentsQuery,
): Promise<schemas.SparkComments> {
  const spark = await getSparkRow(ctx, code)
  const rows = await repository.findComments(ctx, spark.id, { ...query, limit: schemas.COMMENTS_PAGE + 1 })
  const page = rows.slice(0, schemas.COMMENTS_PAGE)
  const last = rows.length > page.length ? page.at(-1) : undefined
  return { comments: await toComments(ctx, page), next_before: last?.trellis_code ?? null }
}

export async function createSparkComment(
  ctx: WorkspaceCtx,
  code: string,
  { text, mentions }: schemas.SaveSparkCommentRequest,
): Promise<schemas.SparkComment> {
  const spark = await getSparkRow(ctx, code)
  const people = await findMentioned(ctx, mentions)
  const trellis_code = generateTrellisCode()
  await transaction(ctx, async (ctx) => {
    await lockLimit(ctx, 'comments', spark.id)
    if ((await repository.countComments(ctx, spark.id)) >= schemas.MAX_SPARK_COMMENTS) {
      throw new AppError(
        'limit_reached',
        `A spark can have ${schemas.MAX_SPARK_COMMENTS} comments. Delete those that are not needed.`,
      )
    }
    const row = { spark_id: spark.id, trellis_code, profile_id: ctx.actor.profileId, text }
    const id = await repository.insertComment(ctx, { ...row, created_at: ctx.clock.now() })
    await notifyMentioned(ctx, { spark, commentId: id }, await repository.replaceMentions(ctx, id, people))
  })
  ctx.http.addAuditDetail({ spark: spark.name })
  return await readOne(ctx, spark, trellis_code)
}

export async function updateSparkComment(
  ctx: WorkspaceCtx,
  address: CommentAddress,
  { text, mentions }: schemas.SaveSparkCommentRequest,
): Promise<schemas.SparkComment> {
  const { spark, comment } = await getComment(ctx, address)
  if (comment.profile_id !== ctx.actor.profileId) {
    throw new AppError('forbidden', 'Only the person who wrote a comment can change it.')
  }
  const knownMentions = await repository.findMentions(ctx, [comment.id])
  const people = await findMentioned(ctx, mentions, knownMentions)
  await transaction(ctx, async (ctx) => {
    await repository.updateComment(ctx, comment.id, { text, edited_at: ctx.clock.now() })
    const change = await repository.replaceMentions(ctx, comment.id, people)
    await notifyMentioned(ctx, { spark, commentId: comment.id }, change)
  })
  ctx.http.addAuditDetail({ spark: spark.name })
  return await readOne(ctx, spark, comment.trellis_code)
}

export async function resolveSparkComment(
  ctx: WorkspaceCtx,
  address: CommentAddress,
  isResolved: boolean,
): Promise<schemas.SparkComment> {
  const { spark, comment } = await getComment(ctx, address)
  if (!canResolve(ctx, comment.profile_id)) {
    throw new AppError('forbidden', 'Your role lets you resolve only your own comments.')
  }
  if (isResolved !== (comment.resolved_at !== null)) {
    await repository.updateComment(ctx, comment.id, {
      resolved_at: isResolved ? ctx.clock.now() : null,
      resolved_by: isResolved ? ctx.actor.profileId : null,
    })
  }
  ctx.http.addAuditDetail({ spark: spark.name, resolved: String(isResolved) })
  return await readOne(ctx, spark, comment.trellis_code)
}

export async function deleteSparkComment(ctx: WorkspaceCtx, address: CommentAddress): Promise<{ done: true }> {
  const { spark, comment } = await getComment(ctx, address)
  if (!canDelete(ctx, comment.profile_id)) {
    throw new AppError('forbidden', 'Only its author or an admin of the workspace can delete a comment.')
  }
  await repository.deleteComment(ctx, comment.id)
  ctx.http.addAuditDetail({ spark: spark.name })
  return { done: true }
}

async function getComment(ctx: WorkspaceCtx, address: CommentAddress) {
  const spark = await getSparkRow(ctx, address.spark_trellis_code)
  const comment = await repository.findComment(ctx, spark.id, address.spark_comment_trellis_code)
  if (!comment) throw new AppError('not_found', 'There is nothing at this address, or you have no access to it.')
  return { spark, comment }
}

async function readOne(ctx: WorkspaceCtx, spark: SparkRow, code: string): Promise<schemas.SparkComment> {
  const row = await repository.findComment(ctx, spark.id, code)
  const [comment] = row ? await toComments(ctx, [row]) : []
  if (!comment) throw new AppError('not_found', 'The comment was deleted meanwhile.')
  return comment
}

async function findMentioned(
  ctx: WorkspaceCtx,
  codes: readonly string[],
  knownMentionRows: readonly repository.MentionRow[] = [],
): Promise<number[]> {
  const wantedCodes = [...new Set(codes)]
  if (wantedCodes.length === 0) return []
  const ids = new Map(knownMentionRows.map((mentionRow) => [mentionRow.trellis_user_code, mentionRow.profile_id]))
  for (const { profile } of await listWorkspaceMembers(ctx)) ids.set(profile.trellis_user_code, profile.id)
  return wantedCodes.map((code) => {
    const id = ids.get(code)
    if (id === undefined) {
      throw new AppError('invalid_request', 'Somebody who is mentioned has no access to this workspace.')
    }
    return id
  })
}
