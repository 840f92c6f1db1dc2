import * as z from 'zod/mini'
import { Instant } from '../core/shapes.ts'
import { visibleText } from '../core/visible-text.ts'
import { Code, SparkParams } from './sparks.schemas.ts'

export const MAX_COMMENT_LENGTH = 4000
const MAX_COMMENT_MENTIONS = 20
export const MAX_SPARK_COMMENTS = 2000
export const COMMENTS_PAGE = 30

export const SparkCommentParams = z.extend(SparkParams, { spark_comment_trellis_code: Code })

const CommentPerson = z.object({
  trellis_user_code: z.string(),
  name: z.string(),
  is_member: z.boolean(),
})
export type CommentPerson = z.infer<typeof CommentPerson>

export const SparkComment = z.object({
  spark_comment_trellis_code: z.string(),
  /** Plain text; mentions appear as `@name`. */
  text: z.string(),
  mentions: z.array(CommentPerson),
  author: z.nullable(CommentPerson),
  is_mine: z.boolean(),
  can_delete: z.boolean(),
  can_resolve: z.boolean(),
  created_at: Instant,
  edited_at: z.nullable(Instant),
  resolved_at: z.nullable(Instant),
  resolved_by: z.nullable(z.string()),
})
export type SparkComment = z.infer<typeof SparkComment>
/** Newest first. `next_before` is the cursor of the next page. */
export const SparkComments = z.object({ comments: z.array(SparkComment), next_before: z.nullable(z.string()) })
export type SparkComments = z.infer<typeof SparkComments>

export const SparkCommentsQuery = z.object({
  before: z.optional(Code),
  state: z._default(z.enum(['all', 'open', 'resolved']), 'all'),
})
export type SparkCommentsQuery = z.infer<typeof SparkCommentsQuery>

export const SaveSparkCommentRequest = z.object({
  text: z
    .string({ error: 'Write a comment' })
    .check(z.trim(), z.minLength(1, 'Write a comment'), z.maxLength(MAX_COMMENT_LENGTH), visibleText),
  /** `trellis_user_code` of members; new mentions are notified. */
  mentions: z._default(
    z.array(z.string().check(z.minLength(1), z.maxLength(40))).check(z.maxLength(MAX_COMMENT_MENTIONS)),
    [],
  ),
})
export type SaveSparkCommentRequest = z.infer<typeof SaveSparkCommentRequest>

export const ResolveSparkCommentRequest = z.object({ is_resolved: z.boolean() })
