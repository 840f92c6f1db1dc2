import type { ScheduleValue } from '@trellis/contract/dataflows/schedules'
import type { ParameterValues } from '@trellis/contract/sparks/spark-bridge.schemas'
import type { SparkSchedule } from '@trellis/contract/sparks/spark-schedules.schemas'
import type { Db } from '@trellis/control-db/database'
import { deleteScoped, insertScoped, scoped, type WorkspaceScope } from '@trellis/control-db/scoped'

interface PersonScope extends WorkspaceScope {
  readonly actor: { readonly profileId: number }
}

export interface ScheduleRow {
  readonly schedule: ScheduleValue
  readonly parameters: ParameterValues
  readonly only_if_changed: boolean
  readonly is_paused: boolean
  readonly next_at: Date | null
  readonly last_sent_at: Date | null
  readonly last_outcome: SparkSchedule['last_outcome']
  readonly last_problem: string | null
  readonly created_at: Date
}

export async function findSchedule(ctx: PersonScope, sparkId: number): Promise<ScheduleRow | undefined> {
  const row = await scoped(ctx, 'spark_schedules')
    .select(['schedule', 'parameters', 'only_if_changed', 'is_paused', 'next_at'])
    .select(['last_sent_at', 'last_outcome', 'last_problem', 'created_at'])
    .where('spark_id', '=', sparkId)
    .where('profile_id', '=', ctx.actor.profileId)
    .executeTakeFirst()
  return row as unknown as ScheduleRow | undefined
}

export async function saveSchedule(
  ctx: PersonScope,
  sparkId: number,
  row: Pick<ScheduleRow, 'schedule' | 'parameters' | 'only_if_changed' | 'is_paused' | 'next_at'> & { now: Date },
): Promise<void> {
  const { now, schedule, parameters, ...rest } = row
  const values = { ...rest, schedule: JSON.stringify(schedule), parameters: JSON.stringify(parameters) }
  await insertScoped(ctx, 'spark_schedules', {
    ...values,
    workspace_id: ctx.workspace.id,
    spark_id: sparkId,
    profile_id: ctx.actor.profileId,
    last_sent_at: null,
    last_outcome: null,
    last_problem: null,
    last_rows: null,
    created_at: now,
  })
    .onConflict((conflict) => conflict.columns(['spark_id', 'profile_id']).doUpdateSet(values))
    .execute()
}

export async function deleteSchedule(ctx: PersonScope, sparkId: number): Promise<boolean> {
  const row = await deleteScoped(ctx, 'spark_schedules')
    .where('spark_id', '=', sparkId)
    .where('profile_id', '=', ctx.actor.profileId)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function findScheduleToSend(db: Db, id: number) {
  const row = await db
    .selectFrom('spark_schedules as s')
    .innerJoin('sparks', 'sparks.id', 's.spark_id')
    .innerJoin('profiles', 'profiles.id', 's.profile_id')
    .innerJoin('accounts', 'accounts.id', 's.account_id')
    .innerJoin('workspaces', 'workspaces.id', 's.workspace_id')
    .leftJoin('account_members as m', (join) =>
      join.onRef('m.account_id', '=', 's.account_id').onRef('m.profile_id', '=', 's.profile_id'),
    )
    .leftJoin('workspace_members as w', (join) =>
      join.onRef('w.workspace_id', '=', 's.workspace_id').onRef('w.profile_id', '=', 's.profile_id'),
    )
    .select(['s.id', 's.account_id', 's.workspace_id', 's.profile_id', 's.parameters', 's.only_if_changed'])
    .select(['s.last_rows', 'sparks.trellis_code as spark_code'])
    .select(['profiles.email', 'profiles.first_name', 'profiles.surname', 'profiles.trellis_user_code'])
    .select(['accounts.trellis_code as account_code', 'accounts.account_type', 'accounts.stripe_plan_end_date'])
    .select(['workspaces.trellis_code as workspace_code', 'workspaces.workspace_address'])
    .select(['m.role as account_role', 'w.role as workspace_role'])
    .where('s.id', '=', id)
    .where('accounts.deleted_at', 'is', null)
    .executeTakeFirst()
  return row && { ...row, parameters: row.parameters as ParameterValues }
}

export async function finishScheduledRun(
  db: Db,
  id: number,
  end: {
    last_sent_at: Date
    last_outcome: 'mailed' | 'unchanged' | 'failed'
    last_problem: string | null
    last_rows?: string
  },
): Promise<void> {
  await db.updateTable('spark_schedules').set(end).where('id', '=', id).execute()
}
