import { createHash } from 'node:crypto'
import type { Message } from '@trellis/contract/ai/ai.schemas'
import { isPlanOver } from '@trellis/contract/billing/plans'
import { enqueue } from '@trellis/jobs/enqueue'
import { type JobRun, WorkerStopping } from '@trellis/jobs/attempt'
import { AppError } from '../../../platform/app-error.ts'
import type { SystemCtx, WorkspaceCtx } from '../../../platform/ctx.ts'
import { queueMail } from '../../../platform/mail/queue-mail.ts'
import { failedQuestionMail } from '../../../platform/mail/templates/failed-question.ts'
import { scheduledAnswerMail } from '../../../platform/mail/templates/scheduled-answer.ts'
import { toPersonCtx } from '../../../platform/person-ctx.ts'
import { queueDue } from '../../../platform/schedules/queue-due.ts'
import { askScheduled } from '../ai.jobs.ts'
import { createConversation } from '../conversations.service.ts'
import { getMessageUpdates, sendMessage } from '../messages.service.ts'
import { findQuestionToAsk, setConversation, setQueuedAt, finishQuestionRun } from './scheduled-questions.repository.ts'
import { toBars } from './to-bars.ts'

const MAX_ROWS_MAILED = 20

export async function handleQueueScheduled(ctx: SystemCtx): Promise<void> {
  await queueDue(ctx, 'ai_scheduled_questions', async (ctx, { id, workspace_id }) => {
    await setQueuedAt(ctx.db, id, ctx.clock.now())
    await enqueue(ctx, askScheduled, { question_id: id }, { group: String(workspace_id) })
  })
}

type Question = NonNullable<Awaited<ReturnType<typeof findQuestionToAsk>>>

export async function handleAskScheduled(
  ctx: SystemCtx,
  { question_id }: { question_id: number },
  run: JobRun,
): Promise<void> {
  const question = await findQuestionToAsk(ctx.db, question_id)
  if (!question) return
  const last_asked_at = ctx.clock.now()
  const fail = async (problem: string) =>
    await finishQuestionRun(ctx.db, question.id, { last_asked_at, last_outcome: 'failed', last_problem: problem })
  const person = toPersonCtx(ctx, question, run.signal)
  if (!person) return await fail('Its person has no access to this workspace any more.')
  const failAndTell = async (problem: string) => {
    if (question.last_outcome !== 'failed') await queueMail(ctx, toFailureMail(ctx, question, problem))
    await fail(problem)
  }
  if (isPlanOver(question, last_asked_at)) return await failAndTell('The plan of this account has ended.')
  try {
    const message = await sendAndAwaitAnswer(ctx, person, question)
    if (message.status !== 'completed') return await failAndTell(findProblem(message))
    const last_rows = hashRows(message)
    if (question.only_if_changed && last_rows === question.last_rows) {
      return await finishQuestionRun(ctx.db, question.id, {
        last_asked_at,
        last_outcome: 'unchanged',
        last_problem: null,
      })
    }
    await queueMail(ctx, { to: question.email, mail: toMail(ctx, question, message) })
    await finishQuestionRun(ctx.db, question.id, {
      last_asked_at,
      last_outcome: 'mailed',
      last_problem: null,
      last_rows,
    })
  } catch (error) {
    if (error instanceof AppError) return await failAndTell(error.message)
    if (run.isLastAttempt && !(run.signal.reason instanceof WorkerStopping)) {
      await failAndTell('The question could not be asked. Run it again from the jobs.')
    }
    throw error
  }
}

async function sendAndAwaitAnswer(ctx: SystemCtx, person: WorkspaceCtx, question: Question): Promise<Message> {
  const conversation_trellis_code = question.conversation_code ?? (await begin(ctx, person, question))
  const { answer } = await sendMessage(person, conversation_trellis_code, { text: question.question })
  const place = { conversation_trellis_code, message_trellis_code: answer.message_trellis_code }
  let message = answer
  let message_sha = answer.sha
  while (message.status === 'creating' || message.status === 'responding') {
    person.http.signal.throwIfAborted()
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

const toPage = (ctx: SystemCtx, { account_code, workspace_address }: Question, page: string): string =>
  `${ctx.ports.config.publicUrl}/${account_code}/${workspace_address}/ai/${page}`

const toFailureMail = (ctx: SystemCtx, question: Question, problem: string) => ({
  to: question.email,
  mail: failedQuestionMail({
    question: question.question,
    firstName: question.first_name,
    problem,
    url: toPage(ctx, question, 'jobs'),
    publicUrl: ctx.ports.config.publicUrl,
  }),
})

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
      columns: table.columns,
      rows: table.rows.slice(0, MAX_ROWS_MAILED),
      more: table.is_cut ? null : Math.max(0, table.rows.length - MAX_ROWS_MAILED),
    },
    chart: toBars(parts),
    url: toPage(ctx, question, `chats/${conversation_trellis_code}`),
    publicUrl,
  })
}
