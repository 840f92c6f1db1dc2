import type { SaveSparkCommentRequest, SparkComment } from '@trellis/contract/sparks/spark-comments.schemas'
import type { SaveSparkScheduleRequest } from '@trellis/contract/sparks/spark-schedules.schemas'
import type { CreateSparkRequest, Spark, UpdateSparkRequest } from '@trellis/contract/sparks/sparks.schemas'
import { FakeError } from '../fake-error.ts'
import type { Handler, Input } from '../fake-handler.ts'
import type { FakeWorld } from '../fake-world.ts'
import { createComment, FAKE_TEMPLATE, FAKE_TIME } from './fake-sparks.ts'

const done = { done: true as const }

const isOpen = ({ resolved_at }: SparkComment) => resolved_at === null

function getSpark({ sparks }: FakeWorld, { params }: Input): Spark {
  const spark = sparks.sparks.find((candidate) => candidate.spark_trellis_code === params['spark_trellis_code'])
  if (!spark) throw new FakeError('not_found')
  return { ...spark, open_comments: sparks.comments.filter((comment) => isOpen(comment)).length }
}

function changeComment({ sparks }: FakeWorld, { params }: Input, change: Partial<SparkComment>): SparkComment {
  const code = params['spark_comment_trellis_code']
  sparks.comments = sparks.comments.map((comment) =>
    comment.spark_comment_trellis_code === code ? { ...comment, ...change } : comment,
  )
  const changed = sparks.comments.find((comment) => comment.spark_comment_trellis_code === code)
  if (!changed) throw new FakeError('not_found')
  return changed
}

const toMentions = ({ company }: FakeWorld, codes: readonly string[]): SparkComment['mentions'] =>
  codes.map((code) => {
    const member = company.workspaceMembers.find(({ profile }) => profile.trellis_user_code === code)
    const name = member ? `${member.profile.first_name} ${member.profile.surname}` : code
    return { trellis_user_code: code, name, is_member: member !== undefined }
  })

const commentHandlers: Record<string, Handler> = {
  listSparkComments: ({ sparks }, { query }) => {
    const all = sparks.comments.filter((comment) => query['state'] === 'all' || isOpen(comment))
    const start = all.findIndex((candidate) => candidate.spark_comment_trellis_code === query['before']) + 1
    const comments = all.slice(start, start + sparks.commentsPage)
    const isMore = all.length > start + comments.length
    return { comments, next_before: isMore ? comments.at(-1)?.spark_comment_trellis_code : null }
  },
  createSparkComment: (world, { body }) => {
    const { text, mentions } = body as SaveSparkCommentRequest
    const { first_name, surname, trellis_user_code } = world.profile
    const comment = createComment(`new${world.sparks.comments.length}`, {
      text,
      mentions: toMentions(world, mentions),
      author: { trellis_user_code, name: `${first_name} ${surname}`, is_member: true },
      is_mine: true,
    })
    world.sparks.comments = [comment, ...world.sparks.comments]
    return comment
  },
  updateSparkComment: (world, input) => {
    const { text, mentions } = input.body as SaveSparkCommentRequest
    return changeComment(world, input, { text, mentions: toMentions(world, mentions), edited_at: FAKE_TIME })
  },
  resolveSparkComment: (world, input) => {
    const { is_resolved } = input.body as { is_resolved: boolean }
    return changeComment(world, input, {
      resolved_at: is_resolved ? FAKE_TIME : null,
      resolved_by: is_resolved ? 'Ada Lovelace' : null,
    })
  },
  deleteSparkComment: ({ sparks }, { params }) => {
    const code = params['spark_comment_trellis_code']
    sparks.comments = sparks.comments.filter((comment) => comment.spark_comment_trellis_code !== code)
    return done
  },
}

export const sparkHandlers: Record<string, Handler> = {
  ...commentHandlers,
  listSparks: ({ sparks }) => ({ sparks: sparks.sparks }),
  listProjectSparks: ({ sparks }, { params }) => ({
    sparks: sparks.sparks.filter((spark) => spark.project_trellis_code === params['project_trellis_code']),
  }),
  listSparkTemplates: () => ({ templates: [FAKE_TEMPLATE] }),
  createSpark: ({ sparks }, { body }) => {
    const { name, origin } = body as CreateSparkRequest
    const [first] = sparks.sparks
    const spark = { ...first, spark_trellis_code: `new${sparks.sparks.length}`, name } as Spark
    sparks.sparks = [...sparks.sparks, spark]
    sparks.origins.push(origin)
    return spark
  },
  getSpark: (world, input) => getSpark(world, input),
  updateSpark: (world, input) => {
    const { name, description } = input.body as UpdateSparkRequest
    const spark = getSpark(world, input)
    const changed = { ...spark, name: name ?? spark.name, description: description ?? spark.description }
    world.sparks.sparks = world.sparks.sparks.map((other) =>
      other.spark_trellis_code === spark.spark_trellis_code ? changed : other,
    )
    return changed
  },
  deleteSpark: ({ sparks }, { params }) => {
    sparks.sparks = sparks.sparks.filter((spark) => spark.spark_trellis_code !== params['spark_trellis_code'])
    return done
  },
  listSparkVersions: ({ sparks }) => ({ versions: sparks.versions.toReversed() }),
  getLatestSparkVersion: ({ sparks }) => sparks.versions.at(-1),
  getSparkVersion: ({ sparks }, { params }) => {
    const version = sparks.versions.find(
      (candidate) => candidate.spark_version_trellis_code === params['spark_version_trellis_code'],
    )
    if (!version) throw new FakeError('not_found')
    return version
  },
  getSparkSchedule: ({ sparks }) => ({ schedule: sparks.schedule }),
  saveSparkSchedule: ({ sparks }, { body }) => {
    const last = { last_sent_at: null, last_outcome: null, last_problem: null }
    sparks.schedule = { ...(body as SaveSparkScheduleRequest), ...last, next_at: FAKE_TIME, created_at: FAKE_TIME }
    return sparks.schedule
  },
  deleteSparkSchedule: ({ sparks }) => {
    sparks.schedule = null
    return done
  },
}
