import type { HistoryQuery, JobStatus, Parameters, SqlProblem, Statement } from '@trellis/contract/sql/sql.schemas'
import type { Db } from '@trellis/control-db/database'
import { type AccountScope, insertScoped, scoped, updateScoped, type WorkspaceScope } from '@trellis/control-db/scoped'
import { sql } from 'kysely'

export interface StoredChunk {
  readonly firstRow: number
  readonly rows: number
}
export type StoredStatement = Statement & { readonly chunks: readonly StoredChunk[] }

export interface StoredRequest {
  readonly parameters: Parameters
  readonly rowLimit: number
  readonly timeoutSeconds: number
  readonly explain: 'none' | 'plan' | 'analyze'
}

export interface JobRow {
  readonly id: string
  readonly profile_id: number | null
  readonly integration_code: string
  readonly sql: string
  readonly request: StoredRequest
  readonly file_id: string | null
  readonly status: JobStatus
  readonly keep_running: boolean
  readonly statements: readonly StoredStatement[]
  readonly problem: SqlProblem | null
  readonly created_at: Date
  readonly started_at: Date | null
  readonly finished_at: Date | null
  readonly heartbeat_at: Date
  readonly expires_at: Date
  readonly results_deleted_at: Date | null
}

const columns = [
  'id',
  'profile_id',
  'integration_code',
  'sql',
  'request',
  'file_id',
  'status',
  'keep_running',
  'statements',
  'problem',
  'created_at',
  'started_at',
  'finished_at',
  'heartbeat_at',
  'expires_at',
  'results_deleted_at',
] as const

export type PersonScope = WorkspaceScope & { readonly actor: { readonly profileId: number } }

export type NewJob = Pick<
  JobRow,
  'id' | 'integration_code' | 'sql' | 'request' | 'file_id' | 'keep_running' | 'created_at' | 'expires_at'
> & { readonly statements: readonly StoredStatement[]; readonly transaction_id?: string }

/** Undefined if the id exists: a retried request. */
export async function insertJob(ctx: PersonScope, job: NewJob): Promise<JobRow | undefined> {
  const row = await insertScoped(ctx, 'sql_jobs', {
    ...job,
    workspace_id: ctx.workspace.id,
    profile_id: ctx.actor.profileId,
    request: JSON.stringify(job.request),
    statements: JSON.stringify(job.statements),
    heartbeat_at: job.created_at,
    followed_at: job.created_at,
  })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning(columns)
    .executeTakeFirst()
  return row as JobRow | undefined
}

interface RunningJobLimit {
  readonly maxGoing: number
  readonly aliveSince: Date
}

/** One statement, since each round trip delays the first row. */
export async function insertJobWithinLimit(
  ctx: PersonScope,
  job: NewJob,
  { maxGoing, aliveSince }: RunningJobLimit,
): Promise<{ readonly isAllowed: boolean; readonly row: JobRow | undefined }> {
  const { id, created_at: createdAt } = job
  const { rows } = await sql<{ is_allowed: boolean; id: string | null }>`
    with allowed as materialized (
      select can_start_query(${ctx.workspace.id}, ${ctx.actor.profileId}, ${maxGoing}, ${aliveSince}) as is_allowed
    ), inserted as (
      insert into sql_jobs (id, account_id, workspace_id, profile_id, integration_code, sql, request, statements, file_id,
                            keep_running, created_at, heartbeat_at, followed_at, expires_at)
      select ${id}::uuid, ${ctx.account.id}::bigint, ${ctx.workspace.id}::bigint, ${ctx.actor.profileId}::bigint,
             ${job.integration_code}, ${job.sql}, ${JSON.stringify(job.request)}::jsonb,
             ${JSON.stringify(job.statements)}::jsonb, ${job.file_id}, ${job.keep_running}::boolean,
             ${createdAt}::timestamptz, ${createdAt}::timestamptz, ${createdAt}::timestamptz, ${job.expires_at}::timestamptz
        from allowed where is_allowed
      on conflict (id) do nothing returning id
    )
    select is_allowed, id from allowed left join inserted on true`.execute(ctx.db)
  const isInserted = typeof rows[0]?.id === 'string'
  return { isAllowed: rows[0]?.is_allowed === true, row: isInserted ? toNewRow(ctx, job) : undefined }
}

const toNewRow = (ctx: PersonScope, job: NewJob): JobRow => ({
  ...job,
  profile_id: ctx.actor.profileId,
  status: 'queued',
  problem: null,
  started_at: null,
  finished_at: null,
  heartbeat_at: job.created_at,
  results_deleted_at: null,
})

export async function findJob(ctx: PersonScope, id: string): Promise<JobRow | undefined> {
  const row = await scoped(ctx, 'sql_jobs')
    .select(columns)
    .where('workspace_id', '=', ctx.workspace.id)
    .where('profile_id', '=', ctx.actor.profileId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row as JobRow | undefined
}

export async function findQueuedJobIn(ctx: PersonScope, transactionId: string): Promise<JobRow | undefined> {
  const row = await scoped(ctx, 'sql_jobs')
    .select(columns)
    .where('transaction_id', '=', transactionId)
    .where('status', '=', 'queued')
    .executeTakeFirst()
  return row as JobRow | undefined
}

export async function countGoingJobs(ctx: PersonScope, aliveSince: Date): Promise<number> {
  const row = await scoped(ctx, 'sql_jobs')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', ctx.workspace.id)
    .where('profile_id', '=', ctx.actor.profileId)
    .where('status', 'in', ['queued', 'running'])
    .where('heartbeat_at', '>', aliveSince)
    .executeTakeFirstOrThrow()
  return row.count
}

export interface JobProgress {
  readonly status: JobStatus
  readonly statements: readonly StoredStatement[]
  readonly problem: SqlProblem | null
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
  readonly backendPid: number | null
}

export interface JobControl {
  readonly isCancelled: boolean
  readonly keepRunning: boolean
  readonly followedAt: Date
}

export async function saveEnd(
  scope: WorkspaceScope,
  id: string,
  { now, ...progress }: JobProgress & { now: Date },
): Promise<void> {
  await updateScoped(scope, 'sql_jobs')
    .set({
      status: progress.status,
      statements: JSON.stringify(progress.statements),
      problem: progress.problem ? JSON.stringify(progress.problem) : null,
      started_at: progress.startedAt,
      finished_at: progress.finishedAt,
      backend_pid: progress.backendPid,
      heartbeat_at: now,
    })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .execute()
}

type RunningProgress = Pick<JobProgress, 'status' | 'statements' | 'startedAt' | 'backendPid'> & { readonly id: string }

export async function saveProgressOfMany(
  { db, account }: AccountScope,
  jobs: readonly RunningProgress[],
  now: Date,
): Promise<Map<string, JobControl>> {
  const { rows } = await sql<{ id: string; is_cancelled: boolean; keep_running: boolean; followed_at: Date }>`
    update sql_jobs j
       set status = given.status, statements = given.statements::jsonb, started_at = given.started_at,
           backend_pid = given.backend_pid, heartbeat_at = ${now}
      from unnest(${jobs.map(({ id }) => id)}::uuid[], ${jobs.map(({ status }) => status)}::text[],
                  ${jobs.map(({ statements }) => JSON.stringify(statements))}::text[],
                  ${jobs.map(({ startedAt }) => startedAt)}::timestamptz[],
                  ${jobs.map(({ backendPid }) => backendPid)}::int[])
             as given(id, status, statements, started_at, backend_pid)
     where j.account_id = ${account.id} and j.id = given.id and j.status in ('queued', 'running')
    returning j.id, j.cancel_requested_at is not null as is_cancelled, j.keep_running, j.followed_at`.execute(db)
  return new Map(
    rows.map((row) => [
      row.id,
      { isCancelled: row.is_cancelled, keepRunning: row.keep_running, followedAt: row.followed_at },
    ]),
  )
}

export async function failLostJob(
  ctx: PersonScope,
  id: string,
  { problem, now, aliveSince }: { problem: SqlProblem; now: Date; aliveSince: Date },
): Promise<void> {
  await updateScoped(ctx, 'sql_jobs')
    .set({ status: 'failed', problem: JSON.stringify(problem), finished_at: now })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .where('heartbeat_at', '<=', aliveSince)
    .execute()
}

export async function markFollowed(ctx: PersonScope, id: string, now: Date): Promise<void> {
  await updateScoped(ctx, 'sql_jobs').set({ followed_at: now }).where('id', '=', id).execute()
}

export async function markKeepRunning(ctx: PersonScope, id: string): Promise<void> {
  await updateScoped(ctx, 'sql_jobs').set({ keep_running: true }).where('id', '=', id).execute()
}

export async function requestCancel(ctx: PersonScope, id: string, now: Date): Promise<void> {
  await updateScoped(ctx, 'sql_jobs')
    .set({ cancel_requested_at: now })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .execute()
}

export interface HistoryRow extends JobRow {
  readonly first_name: string | null
  readonly surname: string | null
}

export async function findHistory(
  ctx: PersonScope,
  { of, search, status, file_id, before }: HistoryQuery,
  limit: number,
): Promise<HistoryRow[]> {
  let query = scoped(ctx, 'sql_jobs')
    .leftJoin('profiles', 'profiles.id', 'sql_jobs.profile_id')
    .select(columns.map((name) => `sql_jobs.${name}` as const))
    .select(['profiles.first_name', 'profiles.surname'])
    .where('sql_jobs.workspace_id', '=', ctx.workspace.id)
    .orderBy('sql_jobs.created_at', 'desc')
    .orderBy('sql_jobs.id', 'desc')
    .limit(limit)
  if (of === 'me') query = query.where('sql_jobs.profile_id', '=', ctx.actor.profileId)
  if (status) query = query.where('sql_jobs.status', '=', status)
  if (file_id) query = query.where('sql_jobs.file_id', '=', file_id)
  if (search) query = query.where('sql_jobs.sql', 'ilike', `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`)
  const last = before === undefined ? undefined : await findPlace(ctx, before)
  if (last) {
    query = query.where((where) =>
      where(where.refTuple('sql_jobs.created_at', 'sql_jobs.id'), '<', where.tuple(last.created_at, last.id)),
    )
  }
  return (await query.execute()) as unknown as HistoryRow[]
}

async function findPlace(ctx: PersonScope, id: string): Promise<{ id: string; created_at: Date } | undefined> {
  return await scoped(ctx, 'sql_jobs')
    .select(['id', 'created_at'])
    .where('workspace_id', '=', ctx.workspace.id)
    .where('id', '=', id)
    .executeTakeFirst()
}

type System = { readonly db: Db }

export async function findExpiredResults({ db }: System, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('sql_jobs')
    .select('id')
    .where('expires_at', '<=', now)
    .where('results_deleted_at', 'is', null)
    .limit(500)
    .execute()
  return rows.map((row) => row.id)
}

export async function markResultsDeleted({ db }: System, id: string, now: Date): Promise<void> {
  await db.updateTable('sql_jobs').set({ results_deleted_at: now }).where('id', '=', id).execute()
}

export async function deleteOldJobs({ db }: System, before: Date): Promise<void> {
  await db.deleteFrom('sql_jobs').where('created_at', '<', before).where('results_deleted_at', 'is not', null).execute()
}

export async function failLostJobs(
  { db }: System,
  { problem, now, aliveSince }: { problem: SqlProblem; now: Date; aliveSince: Date },
): Promise<void> {
  await db
    .updateTable('sql_jobs')
    .set({ status: 'failed', problem: JSON.stringify(problem), finished_at: now })
    .where('status', 'in', ['queued', 'running'])
    .where('heartbeat_at', '<=', aliveSince)
    .execute()
}
