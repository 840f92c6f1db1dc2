import { createHash } from 'node:crypto'
import type { Message } from '@trellis/contract/ai/ai.schemas'
import { isPlanOver } from '@trellis/contract/billing/plans'
import { enqueue } from '@trellis/jobs/enqueue'
import type { JobRun } from '@trellis/jobs/attempt'
import { AppError } from '../../../platform/app-error.ts'
import type { SystemCtx, WorkspaceCtx } from '../../../platform/ctx.ts'
import { queueMail } from '../../../platform/mail/queue-mail.ts'
import { scheduledAnswerMail } from '../../../platform/mail/templates/scheduled-answer.ts'
import { toPersonCtx } from '../../../platform/person-ctx.ts'
import { askScheduled } from '../ai.jobs.ts'
import { createConversation } from '../conversations.ts'
import { getMessageUpdates, sendMessage } from '../messages.ts'
import {
  findDueQuestions,
  findQuestionToAsk,
  moveNextAt,
  setConversation,
  settleQuestion,
} from './scheduled-questions.repository.ts'
import { findNextTime } from './schedule-times.service.ts'
import { toBars } from './to-bars.ts'

const MAX_DUE = 200
const MAX_ROWS_MAILED = 20

/** Hands out what is due. Moving the next time is what decides which worker does. */
export async function handleQueueScheduled(ctx: SystemCtx): Promise<void> {
  const now = ctx.clock.now()
  for (const row of await findDueQuestions(ctx.db, now, MAX_DUE)) {
    const next = findNextTime(row.schedule, { anchor: row.created_at, after: now })
    if (await moveNextAt(ctx.db, row, next)) {
      await enqueue(ctx, askScheduled, { question_id: row.id }, { group: String(row.workspace_id) })
    }
  }
}

type Question = NonNullable<Awaited<ReturnType<typeof findQuestionToAsk>>>

/** Asks with the rights its person has now, and mails the answer. */
export async function handleAskScheduled(
  ctx: SystemCtx,
  { question_id }: { question_id: number },
  run: JobRun,
): Promise<void> {
  const question = await findQuestionToAsk(ctx.db, question_id)
  if (!question) return
  const last_asked_at = ctx.clock.now()
  const fail = async (problem: string) =>
    await settleQuestion(ctx.db, question.id, { last_asked_at, last_outcome: 'failed', last_problem: problem })
  const person = toPersonCtx(ctx, question, run.signal)
  if (!person) return await fail('Its person has no access to this workspace any more.')
  if (isPlanOver(question, last_asked_at)) return await fail('The plan of this account has ended.')
  try {
    const message = await ask(ctx, person, question)
    if (message.status !== 'completed') return await fail(findProblem(message))
    const last_rows = hashRows(message)
    if (question.only_if_changed && last_rows === question.last_rows) {
      return await settleQuestion(ctx.db, question.id, { last_asked_at, last_outcome: 'unchanged', last_problem: null })
    }
    await queueMail(ctx, { to: question.email, mail: toMail(ctx, question, message) })
    await settleQuestion(ctx.db, question.id, { last_asked_at, last_outcome: 'mailed', last_problem: null, last_rows })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    await fail(error.message)
  }
}

async function ask(ctx: SystemCtx, person: WorkspaceCtx, question: Question): Promise<Message> {
  const conversation_trellis_code = question.conversation_code ?? (await begin(ctx, person, question))
  const { answer } = await sendMessage(person, conversation_trellis_code, { text: question.question })
  const place = { conversation_trellis_code, message_trellis_code: answer.message_trellis_code }
  let message = answer
  let message_sha = answer.sha
  while (message.status === 'creating' || message.status === 'responding') {
    person.wire.signal.throwIfAborted()
    const update = await getMessageUpdates(person, { ...place, message_sha })
    message_sha = update.sha
    message = update.message ?? message
  }
  return message
}

async function begin(ctx: SystemCtx, person: WorkspaceCtx, { id, project_code, question }: Question): Promise<string> {
  const name = `Scheduled: ${question.split('\n')[0]?.slice(0, 100) ?? ''}`
  const made = await createConversation(person, { project_trellis_code: project_code, name })
  await setConversation(ctx.db, id, made.conversation_trellis_code)
  return made.conversation_trellis_code
}

const findProblem = ({ parts }: Message): string =>
  parts.flatMap((part) => (part.kind === 'problem' ? [part.message] : [])).at(-1) ?? 'The question was not answered.'

const hashRows = ({ parts }: Message): string => {
  const said = parts.map((part) =>
    part.kind === 'table' ? part.rows : part.kind === 'documents' ? part.passages : null,
  )
  return createHash('sha256').update(JSON.stringify(said)).digest('hex')
}

function toMail(ctx: SystemCtx, question: Question, { parts, conversation_trellis_code }: Message) {
  const { publicUrl } = ctx.ports.config
  const table = parts.findLast((part) => part.kind === 'table')
  const texts = parts.flatMap((part) =>
    part.kind === 'text' ? [part.text] : part.kind === 'reading' ? [part.summary] : [],
  )
  return scheduledAnswerMail({
    question: question.question,
    firstName: question.first_name,
    texts,
    table: table && {
      columns: table.columns.map(({ name }) => name),
      rows: table.rows.slice(0, MAX_ROWS_MAILED),
      more: table.is_cut ? null : Math.max(0, table.rows.length - MAX_ROWS_MAILED),
    },
    chart: toBars(parts),
    url: `${publicUrl}/${question.account_code}/${question.workspace_address}/ai/chats/${conversation_trellis_code}`,
    publicUrl,
  })
}
