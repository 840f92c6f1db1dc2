import { MAX_SPARK_SOURCES, type SparkBlock, type SparkContent } from '@trellis/contract/sparks/spark-content.schemas'
import type { SparkOrigin } from '@trellis/contract/sparks/sparks.schemas'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { getAnsweredQueries } from '../../ai/answers.service.ts'
import { title } from '../templates/template.ts'
import { buildFromQuery } from './from-query.ts'

type AnswerOrigin = Extract<SparkOrigin, { kind: 'answer' }>

export async function buildFromAnswer(ctx: WorkspaceCtx, origin: AnswerOrigin): Promise<SparkContent> {
  const { question, queries } = await getAnsweredQueries(ctx, {
    conversationCode: origin.conversation_trellis_code,
    messageCode: origin.message_trellis_code,
  })
  if (queries.length === 0) {
    throw new AppError('invalid_request', 'This answer has no query that a spark could be made from.')
  }
  const sources: SparkContent['sources'] = []
  const blocks: SparkBlock[] = [{ kind: 'heading', width: 'full', text: title(question) }]
  for (const [at, { integrationCode, sql, chart }] of queries.slice(0, MAX_SPARK_SOURCES).entries()) {
    const key = `result_${at + 1}`
    const name = queries.length > 1 ? `Result ${at + 1}` : 'Result'
    const made = buildFromQuery({ key, name, integration_trellis_code: integrationCode, sql, chart })
    sources.push(...made.sources)
    if (made.body.kind === 'blocks') blocks.push(...made.body.blocks)
  }
  return { sources, parameters: [], body: { kind: 'blocks', blocks } }
}
