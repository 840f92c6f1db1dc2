import type * as schemas from '@trellis/contract/ai/ai.schemas'
import { afterCommit, transaction } from '@trellis/control-db/database'
import type * as z from 'zod/mini'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { generateTrellisCode } from '../../platform/trellis-code.ts'
import { assertCreditsFor } from '../billing/credits.service.ts'
import { computeContentHash } from './answer/answer-parts.ts'
import { claimAnswer, findFeedback, requestCancel, saveFeedback } from './answer/answers.repository.ts'
import { cancelLiveAnswer, isAnswerLive, waitForAnswer } from './answer/live-answers.ts'
import { ANSWER_TIMEOUT_MS, startAnswer } from './answer/run-answer.ts'
import {
  type MessageRow,
  countGoingAnswers,
  findMessage,
  insertMessage,
  sumReservedCredits,
  updateConversationRow,
} from './conversations.repository.ts'
import { UNNAMED, getConversationRow } from './find-conversation.ts'
import { findModel } from './model/model-settings.ts'
import { parseCommand } from './tools/propose-action.ts'

const MAX_GOING_PER_PERSON = 5
/** The heartbeat is every half second: after this the process is lost. */
const LOST_MS = 10_000
const MAX_ATTEMPTS = 3
const LONG_POLL_MS = 20_000
/** Answers of other processes are only visible in the database. */
const POLL_MS = 250
const MAX_NAME = 80

export const toMessage = (row: MessageRow): schemas.Message => ({
  message_trellis_code: row.trellis_code,
  conversation_trellis_code: row.conversation_code,
  role: row.role,
  status: row.status,
  text: row.role === 'user' ? row.text : '',
  parts: [...row.parts],
  sha: row.sha,
  credits_spent: row.credits_spent,
  rating: row.rating,
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
})

const isGoing = ({ status }: { status: schemas.MessageStatus }) => status === 'creating' || status === 'responding'
const notFoundError = () => new AppError('not_found', 'There is nothing at this address, or you have no access to it.')

async function getMessageRow(ctx: WorkspaceCtx, code: string): Promise<MessageRow> {
  const row = await findMessage(ctx, code)
  if (!row) throw notFoundError()
  return row
}

export async function sendMessage(
  ctx: WorkspaceCtx,
  conversationCode: string,
  { text, choices = {}, engine }: schemas.UserMessageRequest,
): Promise<z.infer<typeof schemas.SentMessage>> {
  const needsModel = engine !== 'rules' && Object.keys(choices).length === 0
  const [conversation, going, model] = await Promise.all([
    getConversationRow(ctx, conversationCode),
    countGoingAnswers(ctx),
    needsModel ? findModel(ctx) : undefined,
  ])
  if (going >= MAX_GOING_PER_PERSON) {
    throw new AppError(
      'limit_reached',
      `${MAX_GOING_PER_PERSON} answers of yours are being written. Wait for one, or cancel it.`,
    )
  }
  const [question, answer] = [generateTrellisCode(), generateTrellisCode()]
  const now = ctx.clock.now()
  await transaction(ctx, async (ctx) => {
    const base = { conversation_id: conversation.id, text, choices, created_at: now }
    const amount = model && !parseCommand(text) ? model.creditsPerAnswer : 0
    const countReserved = async () => await sumReservedCredits(ctx)
    if (amount > 0) await assertCreditsFor(ctx, { accountId: ctx.account.id, amount, countReserved })
    await insertMessage(ctx, {
      ...base,
      trellis_code: question,
      role: 'user',
      status: 'completed',
      sha: computeContentHash('completed', []),
    })
    await insertMessage(ctx, {
      ...base,
      trellis_code: answer,
      role: 'assistant',
      engine: model ? 'model' : 'rules',
      credits_reserved: amount,
      status: 'creating',
      sha: computeContentHash('creating', []),
    })
    const name = conversation.message_count === 0 ? { name: toName(conversation.name, text) } : {}
    await updateConversationRow(ctx, conversation.id, { ...name, updated_at: now })
  })
  const [requestedMessageRow, answering] = await Promise.all([getMessageRow(ctx, question), getMessageRow(ctx, answer)])
  afterCommit(ctx, (ctx) => startAnswer(ctx, answering, conversation.project_id))
  return { question: toMessage(requestedMessageRow), answer: toMessage(answering) }
}

function toName(name: string, text: string): string {
  if (name !== UNNAMED) return name
  const line = text.split('\n')[0]?.trim() ?? ''
  return line.length > MAX_NAME ? `${line.slice(0, MAX_NAME - 1)}…` : line
}

interface AnswerParams {
  readonly conversation_trellis_code: string
  readonly message_trellis_code: string
}

/** Takes over an answer whose process is lost; fails it after a few attempts. */
async function getAnswerRow(ctx: WorkspaceCtx, params: AnswerParams): Promise<MessageRow> {
  const row = await getMessageRow(ctx, params.message_trellis_code)
  if (row.conversation_code !== params.conversation_trellis_code) throw notFoundError()
  const now = ctx.clock.now()
  const aliveSince = new Date(now.getTime() - LOST_MS)
  if (!isGoing(row) || row.heartbeat_at > aliveSince || isAnswerLive(row.trellis_code)) return row
  if (row.attempt >= MAX_ATTEMPTS || now.getTime() - row.created_at.getTime() > MAX_ATTEMPTS * ANSWER_TIMEOUT_MS) {
    await requestCancel(ctx, row.id, now)
  }
  if (!(await claimAnswer(ctx, row, { now, aliveSince }))) return row
  const conversation = await getConversationRow(ctx, row.conversation_code)
  startAnswer(ctx, { ...row, attempt: row.attempt + 1 }, conversation.project_id)
  return await getMessageRow(ctx, row.trellis_code)
}

export async function cancelMessage(ctx: WorkspaceCtx, params: AnswerParams): Promise<schemas.Message> {
  const row = await getAnswerRow(ctx, params)
  if (isGoing(row)) {
    await requestCancel(ctx, row.id, ctx.clock.now())
    cancelLiveAnswer(row.trellis_code)
  }
  return toMessage(await getMessageRow(ctx, row.trellis_code))
}

export async function getMessageUpdates(
  ctx: WorkspaceCtx,
  { message_sha, ...params }: AnswerParams & { message_sha: string },
): Promise<schemas.MessageUpdate> {
  const until = performance.now() + LONG_POLL_MS
  const { signal } = ctx.http
  for (;;) {
    const row = await getAnswerRow(ctx, params)
    if (row.sha !== message_sha) return { sha: row.sha, message: toMessage(row) }
    if (!isGoing(row) || signal.aborted || performance.now() >= until) return { sha: row.sha, message: null }
    await waitForAnswer(row.trellis_code, POLL_MS, signal)
  }
}

export async function followMessage(ctx: WorkspaceCtx, params: AnswerParams): Promise<AsyncIterable<schemas.Message>> {
  return streamEvents(ctx, params, await getAnswerRow(ctx, params))
}

async function* streamEvents(
  ctx: WorkspaceCtx,
  params: AnswerParams,
  first: MessageRow,
): AsyncGenerator<schemas.Message> {
  let row = first
  let told = ''
  for (;;) {
    if (row.sha !== told) yield toMessage(row)
    told = row.sha
    if (!isGoing(row) || ctx.http.signal.aborted) return
    await waitForAnswer(row.trellis_code, POLL_MS, ctx.http.signal)
    row = await getAnswerRow(ctx, params)
  }
}

const NO_FEEDBACK: schemas.Feedback = { rating: null, reasons: [], comment: '' }

async function getRatedRow(ctx: WorkspaceCtx, code: string): Promise<MessageRow> {
  const row = await getMessageRow(ctx, code)
  if (row.role !== 'assistant') throw notFoundError()
  return row
}

export async function getMessageFeedback(ctx: WorkspaceCtx, code: string): Promise<schemas.Feedback> {
  const row = await getRatedRow(ctx, code)
  return (await findFeedback(ctx, row.id)) ?? NO_FEEDBACK
}

export async function rateMessage(
  ctx: WorkspaceCtx,
  code: string,
  feedback: z.infer<typeof schemas.UserFeedbackRequest>,
): Promise<schemas.Feedback> {
  const row = await getRatedRow(ctx, code)
  await saveFeedback(ctx, row.id, { ...feedback, now: ctx.clock.now() })
  return (await findFeedback(ctx, row.id)) ?? NO_FEEDBACK
}
