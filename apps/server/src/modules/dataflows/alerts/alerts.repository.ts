import type { RunStatus } from '@trellis/contract/dataflows/dataflow-words'
import type { Alerts } from '@trellis/contract/dataflows/dataflows.schemas'
import type { Db } from '@trellis/control-db/database'
import { sql } from 'kysely'
import type { Timing } from './lateness.ts'

type WithDb = { readonly db: Db }
export type AlertKind = 'failure' | 'recovery' | 'later_than_usual' | 'columns_changed' | 'slot_dropped'

export interface Alert {
  readonly kind: AlertKind
  readonly detail: string
}

export interface AlertRun {
  readonly id: number
  readonly account_id: number
  readonly workspace_id: number
  readonly block_id: number
  readonly code: string
  readonly status: RunStatus
  readonly due_at: Date
  readonly started_at: Date | null
  readonly finished_at: Date | null
  readonly problem: {
    kind: string
    message: string
    advice: string | null
    question?: { decision: object | null }
  } | null
  readonly block_code: string
  readonly block_name: string
  readonly kind: 'Source' | 'Transformation' | 'Destination'
  readonly dataflow_code: string
  readonly dataflow_name: string
  readonly alerts: Alerts
  readonly key_number: number
  readonly account_code: string
  readonly workspace_address: string
  readonly flow_run_id: number | null
  readonly flow_run_code: string | null
  readonly retry_of: number | null
  readonly is_decided: boolean
}

const selectAlertRuns = ({ db }: WithDb) =>
  db
    .selectFrom('task_runs as r')
    .innerJoin('task_blocks as b', 'b.id', 'r.block_id')
    .innerJoin('dataflows as f', 'f.id', 'r.dataflow_id')
    .innerJoin('workspaces as w', 'w.id', 'r.workspace_id')
    .innerJoin('accounts as a', 'a.id', 'r.account_id')
    .leftJoin('flow_runs as l', 'l.id', 'r.flow_run_id')
    .select(['r.flow_run_id', 'l.trellis_code as flow_run_code', 'r.retry_of'])
    .select([
      'r.id',
      'r.account_id',
      'r.workspace_id',
      'r.block_id',
      'r.trellis_code as code',
      'r.status',
      'r.due_at',
      'r.started_at',
    ])
    .select(
      sql<boolean>`exists (select from task_runs asked where asked.id = r.retry_of
        and asked.problem #>> '{question,decision,at}' is not null)`.as('is_decided'),
    )
    .select(['r.finished_at', 'r.problem', 'b.trellis_code as block_code', 'b.name as block_name', 'b.kind'])
    .select([
      'f.trellis_code as dataflow_code',
      'f.name as dataflow_name',
      'f.alerts',
      'f.webhook_key_number as key_number',
    ])
    .select(['a.trellis_code as account_code', 'w.workspace_address'])
    .where('f.deleted_at', 'is', null)
    .where('w.deleted_at', 'is', null)
    .where('a.deleted_at', 'is', null)
    .where('r.is_shadow', '=', false)

export async function findAlertRun(ctx: WithDb, id: number): Promise<AlertRun | undefined> {
  return (await selectAlertRuns(ctx).where('r.id', '=', id).executeTakeFirst()) as AlertRun | undefined
}

export async function findProfilesToNotify({ db }: WithDb, runId: number): Promise<number[]> {
  const row = await db
    .selectFrom('task_runs as r')
    .innerJoin('dataflows as f', 'f.id', 'r.dataflow_id')
    .select(['f.created_by', 'f.updated_by', 'r.profile_id'])
    .where('r.id', '=', runId)
    .executeTakeFirst()
  const profileIds = [row?.created_by, row?.updated_by, row?.profile_id].filter((id) => id !== null && id !== undefined)
  return [...new Set(profileIds)]
}

export async function findLatestRun(ctx: WithDb, blockCode: string): Promise<AlertRun | undefined> {
  return (await selectAlertRuns(ctx)
    .where('b.trellis_code', '=', blockCode)
    .orderBy('r.id', 'desc')
    .executeTakeFirst()) as AlertRun | undefined
}

const MAX_WATCHED_BLOCKS = 1000

export async function findWatchedRuns(ctx: WithDb, before: Date): Promise<AlertRun[]> {
  return (await selectAlertRuns(ctx)
    .where('r.status', 'in', ['QUEUED', 'SYSTEM_DEQUEUED', 'PROVISIONING', 'INITIALIZING', 'RUNNING'])
    .where('r.due_at', '<', before)
    .where(sql<boolean>`(f.alerts ->> 'on_later_than_usual')::boolean`)
    .where(sql<boolean>`not exists (select from sent_alerts s where s.run_id = r.id and s.kind = 'later_than_usual')`)
    .orderBy('r.due_at')
    .limit(MAX_WATCHED_BLOCKS)
    .execute()) as AlertRun[]
}

const MAX_RUNS_PER_DATAFLOW = 20
const HAS_LISTENER = sql<boolean>`(jsonb_array_length(alerts -> 'emails') > 0 or alerts ->> 'webhook_url' is not null)`

/** Their worker may have died before it announced them. */
export async function findEndedRuns({ db }: WithDb, since: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('dataflows as f')
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('task_runs')
          .select(['task_runs.id', 'task_runs.finished_at'])
          .whereRef('task_runs.dataflow_id', '=', 'f.id')
          .where('task_runs.is_shadow', '=', false)
          .orderBy('task_runs.id', 'desc')
          .limit(MAX_RUNS_PER_DATAFLOW)
          .as('r'),
      (join) => join.onTrue(),
    )
    .select('r.id')
    .where('f.deleted_at', 'is', null)
    .where(HAS_LISTENER)
    .where('r.finished_at', '>', since)
    .where(sql<boolean>`not exists (select from sent_alerts s where s.run_id = r.id and s.detail = '')`)
    .orderBy('r.id')
    .limit(MAX_WATCHED_BLOCKS)
    .execute()
  return rows.map(({ id }) => id)
}

export async function findTimings(
  { db }: WithDb,
  run: Pick<AlertRun, 'id' | 'block_id'>,
  limit: number,
): Promise<Timing[]> {
  const rows = await db
    .selectFrom('task_runs')
    .select(['due_at', 'started_at', 'finished_at'])
    .where('block_id', '=', run.block_id)
    .where('id', '<', run.id)
    .where('status', '=', 'SUCCESS')
    .where('started_by', 'in', ['schedule', 'activity', 'inbound_webhook'])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.flatMap(({ due_at, started_at, finished_at }) =>
    started_at && finished_at
      ? [{ waitedMs: started_at.getTime() - due_at.getTime(), tookMs: finished_at.getTime() - started_at.getTime() }]
      : [],
  )
}

export async function findPreviousEndStatus(
  { db }: WithDb,
  run: Pick<AlertRun, 'id' | 'block_id'>,
): Promise<'SUCCESS' | 'FAILED' | 'EXCEPTION' | undefined> {
  const row = await db
    .selectFrom('task_runs')
    .select('status')
    .where('block_id', '=', run.block_id)
    .where('id', '<', run.id)
    .where('status', 'in', ['SUCCESS', 'FAILED', 'EXCEPTION'])
    .where('is_shadow', '=', false)
    .where(sql<boolean>`problem ->> 'kind' is distinct from 'cancelled'`)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return row?.status as 'SUCCESS' | 'FAILED' | 'EXCEPTION' | undefined
}

/** An alert was sent and the block has not succeeded since. A failure and an open question do not hide each other. */
export async function wasAlertedSince(
  { db }: WithDb,
  run: Pick<AlertRun, 'id' | 'block_id' | 'problem'>,
  since: Date,
): Promise<boolean> {
  const isQuestion = run.problem?.question !== undefined
  const row = await db
    .selectFrom('sent_alerts as s')
    .innerJoin('task_runs as r', 'r.id', 's.run_id')
    .select('s.run_id')
    .where('r.block_id', '=', run.block_id)
    .where('r.id', '<', run.id)
    .where('s.kind', '=', 'failure')
    .where('s.sent_at', '>', since)
    .where(
      isQuestion
        ? sql<boolean>`r.problem #> '{question,decision}' = 'null'::jsonb`
        : sql<boolean>`r.problem -> 'question' is null`,
    )
    .where(
      sql<boolean>`not exists (select from task_runs ok where ok.block_id = r.block_id and ok.id > r.id
        and ok.id < ${run.id} and ok.status = 'SUCCESS' and not ok.is_shadow)`,
    )
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Another block of the flow run already alerted; retries alert separately. Locks the flow run, so that concurrent
 * failures alert once.
 */
export async function wasFlowRunAlerted({ db }: WithDb, run: AlertRun): Promise<boolean> {
  if (run.flow_run_id === null || run.retry_of !== null) return false
  await sql`select 1 from flow_runs where id = ${run.flow_run_id} for no key update`.execute(db)
  const row = await db
    .selectFrom('sent_alerts as s')
    .innerJoin('task_runs as r', 'r.id', 's.run_id')
    .select('s.run_id')
    .where('r.flow_run_id', '=', run.flow_run_id)
    .where('r.id', '<>', run.id)
    .where('s.kind', '=', 'failure')
    .executeTakeFirst()
  return row !== undefined
}

export async function isFirstFailure({ db }: WithDb, run: AlertRun): Promise<boolean> {
  if (run.flow_run_id === null || run.retry_of !== null) return true
  const row = await db
    .selectFrom('task_runs')
    .select('id')
    .where('flow_run_id', '=', run.flow_run_id)
    .where('id', '<>', run.id)
    .where('status', 'in', ['FAILED', 'EXCEPTION'])
    .where(sql<boolean>`problem ->> 'kind' is distinct from 'cancelled'`)
    .where('finished_at', '<', run.finished_at)
    .executeTakeFirst()
  return row === undefined
}

export async function insertSentAlert({ db }: WithDb, run: AlertRun, alert: Alert & { at: Date }): Promise<boolean> {
  const rows = await db
    .insertInto('sent_alerts')
    .values({
      run_id: run.id,
      account_id: run.account_id,
      kind: alert.kind,
      detail: alert.detail,
      sent_at: alert.at,
      problem: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('run_id')
    .execute()
  return rows.length > 0
}

export async function saveAlertProblem(
  { db }: WithDb,
  alert: Alert & { runId: number },
  problem: string | null,
): Promise<void> {
  await db
    .updateTable('sent_alerts')
    .set({ problem })
    .where('run_id', '=', alert.runId)
    .where('kind', '=', alert.kind)
    .where('detail', '=', alert.detail)
    .execute()
}

export async function findReplannedDataflows({ db }: WithDb, ids: readonly number[]) {
  return await db
    .selectFrom('dataflows as f')
    .innerJoin('workspaces as w', 'w.id', 'f.workspace_id')
    .innerJoin('accounts as a', 'a.id', 'f.account_id')
    .select([
      'f.account_id',
      'f.workspace_id',
      'f.name',
      'f.created_by',
      'f.updated_by',
      'f.trellis_code as dataflow_code',
      'a.trellis_code as account_code',
      'w.workspace_address',
    ])
    .where('f.id', 'in', ids)
    .execute()
}
