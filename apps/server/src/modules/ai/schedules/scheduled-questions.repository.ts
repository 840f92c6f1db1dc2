import type { ScheduledQuestion } from '@trellis/contract/ai/scheduled-questions.schemas'
import type { ScheduleValue } from '@trellis/contract/dataflows/schedules'
import type { Db } from '@trellis/control-db/database'
import { type AccountScope, deleteScoped, insertScoped, scoped, updateScoped } from '@trellis/control-db/scoped'
import type { PersonScope } from '../conversations.repository.ts'

export interface ScheduledRow {
  readonly id: number
  readonly trellis_code: string
  readonly project_code: string
  readonly conversation_code: string | null
  readonly question: string
  readonly schedule: ScheduleValue
  readonly only_if_changed: boolean
  readonly is_paused: boolean
  readonly next_at: Date | null
  readonly queued_at: Date | null
  readonly last_asked_at: Date | null
  readonly last_outcome: ScheduledQuestion['last_outcome']
  readonly last_problem: string | null
  readonly created_at: Date
}

const selectOwnQuestions = (ctx: PersonScope) =>
  scoped(ctx, 'ai_scheduled_questions')
    .innerJoin('ai_projects', 'ai_projects.id', 'ai_scheduled_questions.project_id')
    .leftJoin('ai_conversations', 'ai_conversations.id', 'ai_scheduled_questions.conversation_id')
    .select([
      'ai_scheduled_questions.id',
      'ai_scheduled_questions.trellis_code',
      'ai_projects.trellis_code as project_code',
      'ai_conversations.trellis_code as conversation_code',
      'ai_scheduled_questions.question',
      'ai_scheduled_questions.schedule',
      'ai_scheduled_questions.only_if_changed',
      'ai_scheduled_questions.is_paused',
      'ai_scheduled_questions.next_at',
      'ai_scheduled_questions.queued_at',
      'ai_scheduled_questions.last_asked_at',
      'ai_scheduled_questions.last_outcome',
      'ai_scheduled_questions.last_problem',
      'ai_scheduled_questions.created_at',
    ])
    .where('ai_scheduled_questions.workspace_id', '=', ctx.workspace.id)
    .where('ai_scheduled_questions.profile_id', '=', ctx.actor.profileId)

export async function findScheduledQuestions(ctx: PersonScope): Promise<ScheduledRow[]> {
  const rows = await selectOwnQuestions(ctx).orderBy('ai_scheduled_questions.id', 'desc').execute()
  return rows as unknown as ScheduledRow[]
}

export async function findScheduledQuestion(ctx: PersonScope, code: string): Promise<ScheduledRow | undefined> {
  const row = await selectOwnQuestions(ctx).where('ai_scheduled_questions.trellis_code', '=', code).executeTakeFirst()
  return row as unknown as ScheduledRow | undefined
}

export async function insertScheduledQuestion(
  ctx: PersonScope,
  row: {
    trellis_code: string
    project_id: number
    question: string
    schedule: ScheduleValue
    only_if_changed: boolean
    next_at: Date | null
  },
): Promise<void> {
  await insertScoped(ctx, 'ai_scheduled_questions', {
    ...row,
    schedule: JSON.stringify(row.schedule),
    workspace_id: ctx.workspace.id,
    profile_id: ctx.actor.profileId,
    conversation_id: null,
    queued_at: null,
    last_asked_at: null,
    last_outcome: null,
    last_problem: null,
    last_rows: null,
  }).execute()
}

export async function updateScheduledRow(
  ctx: AccountScope,
  id: number,
  change: {
    question?: string
    schedule?: ScheduleValue
    only_if_changed?: boolean
    is_paused?: boolean
    next_at?: Date | null
    queued_at?: Date
  },
): Promise<void> {
  const { schedule, ...rest } = change
  await updateScoped(ctx, 'ai_scheduled_questions')
    .set({ ...rest, ...(schedule && { schedule: JSON.stringify(schedule) }) })
    .where('id', '=', id)
    .execute()
}

export async function deleteScheduledRow(ctx: AccountScope, id: number): Promise<void> {
  await deleteScoped(ctx, 'ai_scheduled_questions').where('id', '=', id).execute()
}

export async function setQueuedAt(db: Db, id: number, queued_at: Date): Promise<void> {
  await db.updateTable('ai_scheduled_questions').set({ queued_at }).where('id', '=', id).execute()
}

export async function findQuestionToAsk(db: Db, id: number) {
  return await db
    .selectFrom('ai_scheduled_questions as q')
    .innerJoin('ai_projects as p', 'p.id', 'q.project_id')
    .innerJoin('profiles', 'profiles.id', 'q.profile_id')
    .innerJoin('accounts', 'accounts.id', 'q.account_id')
    .innerJoin('workspaces', 'workspaces.id', 'q.workspace_id')
    .leftJoin('account_members as m', (join) =>
      join.onRef('m.account_id', '=', 'q.account_id').onRef('m.profile_id', '=', 'q.profile_id'),
    )
    .leftJoin('workspace_members as w', (join) =>
      join.onRef('w.workspace_id', '=', 'q.workspace_id').onRef('w.profile_id', '=', 'q.profile_id'),
    )
    .leftJoin('ai_conversations as c', 'c.id', 'q.conversation_id')
    .select([
      'q.id',
      'q.account_id',
      'q.workspace_id',
      'q.profile_id',
      'q.question',
      'q.only_if_changed',
      'q.last_rows',
      'q.last_outcome',
      'p.trellis_code as project_code',
      'c.trellis_code as conversation_code',
      'profiles.email',
      'profiles.first_name',
      'profiles.surname',
      'profiles.trellis_user_code',
      'accounts.trellis_code as account_code',
      'accounts.account_type',
      'accounts.stripe_plan_end_date',
      'workspaces.trellis_code as workspace_code',
      'workspaces.workspace_address',
      'm.role as account_role',
      'w.role as workspace_role',
    ])
    .where('q.id', '=', id)
    .where('accounts.deleted_at', 'is', null)
    .executeTakeFirst()
}

export async function finishQuestionRun(
  db: Db,
  id: number,
  end: {
    last_asked_at: Date
    last_outcome: 'mailed' | 'unchanged' | 'failed'
    last_problem: string | null
    last_rows?: string
  },
): Promise<void> {
  await db
    .updateTable('ai_scheduled_questions')
    .set({ ...end, queued_at: null })
    .where('id', '=', id)
    .execute()
}

export async function setConversation(db: Db, id: number, code: string): Promise<void> {
  await db
    .updateTable('ai_scheduled_questions')
    .set(({ selectFrom }) => ({
      conversation_id: selectFrom('ai_conversations').select('ai_conversations.id').where('trellis_code', '=', code),
    }))
    .where('id', '=', id)
    .execute()
}
