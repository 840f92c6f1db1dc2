import { defineEndpoint } from '../core/endpoint.ts'
import { Done } from '../core/shapes.ts'
import * as schemas from './spark-comments.schemas.ts'
import { SparkParams } from './sparks.schemas.ts'

const base = '/:account_trellis_code/:workspace_address/sparks/:spark_trellis_code/comments'
const one = `${base}/:spark_comment_trellis_code`
/** Anyone who can see a spark can comment on it. */
const use = { feature: 'sparks', permission: 'ai:use' } as const
const limit = { name: 'spark-comments', ip: [60, 60] } as const

export const listSparkComments = defineEndpoint({
  ...use,
  id: 'listSparkComments',
  method: 'GET',
  path: base,
  summary: 'Comments on a spark, newest first',
  params: SparkParams,
  query: schemas.SparkCommentsQuery,
  response: schemas.SparkComments,
  errors: ['not_found'],
})
export const createSparkComment = defineEndpoint({
  ...use,
  id: 'createSparkComment',
  method: 'POST',
  path: base,
  summary: 'Comment on a spark; people who are mentioned are notified',
  params: SparkParams,
  body: schemas.SaveSparkCommentRequest,
  response: schemas.SparkComment,
  creates: true,
  limit,
  errors: ['not_found', 'invalid_request', 'limit_reached'],
})
export const updateSparkComment = defineEndpoint({
  ...use,
  id: 'updateSparkComment',
  method: 'PUT',
  path: one,
  summary: 'Change my own comment; people who are newly mentioned are notified',
  params: schemas.SparkCommentParams,
  body: schemas.SaveSparkCommentRequest,
  response: schemas.SparkComment,
  limit,
  errors: ['not_found', 'invalid_request', 'forbidden'],
})
export const resolveSparkComment = defineEndpoint({
  ...use,
  id: 'resolveSparkComment',
  method: 'PATCH',
  path: one,
  summary: 'Resolve or reopen a comment: my own, or any with the right to change sparks',
  params: schemas.SparkCommentParams,
  body: schemas.ResolveSparkCommentRequest,
  response: schemas.SparkComment,
  errors: ['not_found', 'forbidden'],
})
export const deleteSparkComment = defineEndpoint({
  ...use,
  id: 'deleteSparkComment',
  method: 'DELETE',
  path: one,
  summary: 'Delete a comment: my own, or any as an admin of the workspace',
  params: schemas.SparkCommentParams,
  response: Done,
  errors: ['not_found', 'forbidden'],
})

export const sparkCommentsEndpoints = [
  listSparkComments,
  createSparkComment,
  updateSparkComment,
  resolveSparkComment,
  deleteSparkComment,
]
