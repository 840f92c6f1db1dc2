import { resolveParameters } from '@trellis/assistant/verified/parameters'
import type { VerifiedQuestion } from '../tools/look-up-verified.ts'
import { type AnswerContext, runQuery } from './run-query.ts'

export async function answerVerified(answering: AnswerContext, verified: VerifiedQuestion): Promise<void> {
  const { ctx, input, parts, catalogue } = answering
  const { sql, chips, missing } = resolveParameters({
    sql: verified.sql,
    model: catalogue.engine.model,
    values: verified.values,
    choices: input.choices,
    now: ctx.clock.now(),
  })
  const summary = `Somebody verified the answer to “${verified.name}”: this runs their query.`
  if (chips.length === 0) parts.add({ kind: 'text', text: summary })
  else parts.add({ kind: 'reading', summary, chips: [...chips], ignored_words: [], confidence: 1 })
  if (sql === undefined) {
    parts.add({ kind: 'text', text: `Give a value for ${missing.join(' and ')}.` })
    return
  }
  await runQuery(answering, { sql, contexts: [verified] })
}
