import * as schemas from '@trellis/contract/ai/scheduled-questions.schemas'
import { transaction } from '@trellis/control-db/database'
import { enqueue } from '@trellis/jobs/enqueue'
import type * as z from 'zod/mini'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { lockLimit } from '../../../platform/limit-lock.ts'
import { assertSchedule, findNextTime } from '../../../platform/schedules/next-time.ts'
import { generateTrellisCode } from '../../../platform/trellis-code.ts'
import { askScheduled } from '../ai.jobs.ts'
import { getProjectRow } from '../../ai-projects/projects.service.ts'
import {
  type ScheduledRow,
  deleteScheduledRow,
  findScheduledQuestion,
  findScheduledQuestions,
  insertScheduledQuestion,
  updateScheduledRow,
} from './scheduled-questions.repository.ts'

/** A run whose worker was lost has no outcome: after this it counts as over. */
const RUN_TIMEOUT_MS = 15 * 60_000

const isRunning = ({ queued_at }: ScheduledRow, now: Date): boolean =>
  queued_at !== null && now.getTime() - queued_at.getTime() < RUN_TIMEOUT_MS

const toShown = (row: ScheduledRow, now: Date): schemas.ScheduledQuestion => ({
  question_trellis_code: row.trellis_code,
  project_trellis_code: row.project_code,
  question: row.question,
  schedule: row.schedule,
  only_if_changed: row.only_if_changed,
  is_paused: row.is_paused,
  next_at: row.is_paused ? null : (row.next_at?.toISOString() ?? null),
  is_running: isRunning(row, now),
  last_asked_at: row.last_asked_at?.toISOString() ?? null,
  last_outcome: row.last_outcome,
  last_problem: row.last_problem,
  conversation_trellis_code: row.conversation_code,
  created_at: row.created_at.toISOString(),
})

async function getRow(ctx: WorkspaceCtx, code: string): Promise<ScheduledRow> {
  const row = await findScheduledQuestion(ctx, code)
  if (!row) throw new AppError('not_found', 'There is nothing at this address, or you have no access to it.')
  return row
}

export async function listScheduledQuestions(ctx: WorkspaceCtx): Promise<z.infer<typeof schemas.ScheduledQuestions>> {
  const now = ctx.clock.now()
  return { questions: (await findScheduledQuestions(ctx)).map((row) => toShown(row, now)) }
}

export async function createScheduledQuestion(
  ctx: WorkspaceCtx,
  { project_trellis_code, ...body }: schemas.CreateScheduledQuestionRequest,
): Promise<schemas.ScheduledQuestion> {
  assertSchedule(body.schedule)
  const project = await getProjectRow(ctx, project_trellis_code)
  const trellis_code = generateTrellisCode()
  const now = ctx.clock.now()
  await transaction(ctx, async (ctx) => {
    await lockLimit(ctx, 'questions', ctx.actor.profileId)
    if ((await findScheduledQuestions(ctx)).length >= schemas.MAX_SCHEDULED_QUESTIONS) {
      const most = schemas.MAX_SCHEDULED_QUESTIONS
      throw new AppError(
        'limit_reached',
        `You can have ${most} scheduled questions here. Delete one that is not needed.`,
      )
    }
    const next_at = findNextTime(body.schedule, { anchor: now, after: now })
    await insertScheduledQuestion(ctx, { ...body, trellis_code, project_id: project.id, next_at })
  })
  ctx.http.addAuditDetail({ question: body.question })
  return toShown(await getRow(ctx, trellis_code), now)
}

export async function updateScheduledQuestion(
  ctx: WorkspaceCtx,
  code: string,
  change: schemas.UpdateScheduledQuestionRequest,
): Promise<schemas.ScheduledQuestion> {
  const row = await getRow(ctx, code)
  if (change.schedule) assertSchedule(change.schedule)
  const now = ctx.clock.now()
  const schedule = change.schedule ?? row.schedule
  const isMoved = change.schedule !== undefined || change.is_paused === false
  const next_at = isMoved ? findNextTime(schedule, { anchor: row.created_at, after: now }) : row.next_at
  await updateScheduledRow(ctx, row.id, {
    ...(change.question !== undefined && { question: change.question }),
    ...(change.schedule !== undefined && { schedule: change.schedule }),
    ...(change.only_if_changed !== undefined && { only_if_changed: change.only_if_changed }),
    ...(change.is_paused !== undefined && { is_paused: change.is_paused }),
    next_at,
  })
  return toShown(await getRow(ctx, code), now)
}

/** One run at a time, otherwise the same answer would be mailed twice. */
export async function runScheduledQuestion(ctx: WorkspaceCtx, code: string): Promise<schemas.ScheduledQuestion> {
  return await transaction(ctx, async (ctx) => {
    await lockLimit(ctx, 'questions', ctx.actor.profileId)
    const row = await getRow(ctx, code)
    const now = ctx.clock.now()
    if (isRunning(row, now)) return toShown(row, now)
    await updateScheduledRow(ctx, row.id, { queued_at: now })
    await enqueue(ctx, askScheduled, { question_id: row.id }, { group: String(ctx.workspace.id) })
    return toShown({ ...row, queued_at: now }, now)
  })
}

export async function deleteScheduledQuestion(ctx: WorkspaceCtx, code: string): Promise<{ done: true }> {
  const row = await getRow(ctx, code)
  await deleteScheduledRow(ctx, row.id)
  return { done: true }
}
