import { randomUUID } from 'node:crypto'
import { type ExecuteSql, MAX_STATEMENTS, type SqlJob, type SqlProblem } from '@trellis/contract/sql/sql.schemas'
import { transaction } from '@trellis/control-db/database'
import { truncateText } from '@trellis/workspace-db/cut-text'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { lockLimit } from '../../platform/limit-lock.ts'
import { type OpenDatabase, managedCode, openDatabase } from '../../platform/workspace-database/open-database.ts'
import { hasWorksheet } from '../worksheets/worksheet-files.service.ts'
import { listOutsideDatabases } from '../integrations/outside-databases.service.ts'
import { type LiveJob, findLiveJob } from './live-jobs.ts'
import { waitForTurn } from './long-texts.ts'
import { findStatementAt, listStatements } from './grammar/prepare-statements.ts'
import { readSql } from './grammar/read-sql.ts'
import { rememberParameters } from './remembered-parameters.repository.ts'
import { maskReferences } from './saved-results/result-references.ts'
import { startJob } from './run-job.ts'
import {
  type JobRow,
  type NewJob,
  type StoredStatement,
  countGoingJobs,
  findJob,
  insertJobWithinLimit,
  markFollowed,
  markKeepRunning,
  requestCancel,
  failLostJob,
} from './sql-jobs.repository.ts'
import { LOST_MS, MAX_GOING_PER_PERSON, RESULT_HOURS, applyLimits, getSqlLimits } from './sql-limits.ts'
import {
  type InTransaction,
  assertManualCommit,
  insertInTransaction,
  runInTransaction,
} from './transactions/start-in-transaction.ts'

export const LOST_PROBLEM: SqlProblem = {
  message: 'The server stopped while this query ran. What it had not committed was rolled back. Run it again.',
  hint: null,
  code: 'lost',
  position: null,
}
const NOTED_CHARACTERS = 200

export async function executeSql(ctx: WorkspaceCtx, body: ExecuteSql): Promise<SqlJob> {
  const id = body.job_id ?? randomUUID()
  const { integration_trellis_code: integrationCode, sql } = body
  await waitForTurn(ctx, sql)
  const readable = maskReferences(sql)
  const [workspaceLimits, all, database] = await Promise.all([
    getSqlLimits(ctx),
    listStatements(readable),
    findDatabase(ctx, integrationCode),
    assertWorksheet(ctx, body.file_id),
  ])
  const limits = applyLimits(workspaceLimits, body)
  if (body.commit === 'manual') assertManualCommit(ctx, body)
  const places = body.cursor === undefined ? all : findStatementAt(all, body.cursor)
  if (places.length === 0) throw new AppError('invalid_request', 'There is no statement in this text.')
  if (places.length > MAX_STATEMENTS) {
    throw new AppError('limit_reached', `A run has at most ${MAX_STATEMENTS} statements. Select fewer of them.`)
  }
  if (body.ask_first && body.explain === 'none') {
    const losses = await readSql.listDestructive(places.map(({ start, end }) => readable.slice(start, end)).join(';\n'))
    if (losses.length > 0) throw new AppError('conflict', losses.join(' '))
  }
  const now = ctx.clock.now()
  ctx.http.addAuditDetail({ database: integrationCode, sql: truncateText(sql, NOTED_CHARACTERS) })
  const job = {
    id,
    integration_code: integrationCode,
    sql,
    request: { parameters: body.parameters ?? {}, explain: body.explain, ...limits },
    file_id: body.file_id ?? null,
    keep_running: body.keep_running,
    statements: places.map((place) => createStatement(place)),
    created_at: now,
    expires_at: new Date(now.getTime() + RESULT_HOURS * 3600_000),
  }
  const manual = body.commit === 'manual' ? await insertManual(ctx, job) : undefined
  const row = manual ? manual.row : await insertAndStart(ctx, job, database)
  // A retry returns the existing job. Others' ids look like missing ones.
  if (!row) return toJob(await getJobRow(ctx, id))
  const { file_id: fileId, parameters } = body
  if (fileId !== undefined && parameters) await rememberParameters(ctx, { fileId, parameters, now })
  if (manual) runInTransaction(ctx, manual)
  return toJob(row)
}

const toAliveSince = (now: Date) => new Date(now.getTime() - LOST_MS)

function tooManyQueriesError(): AppError {
  const message = `${MAX_GOING_PER_PERSON} queries of yours are running or waiting. Wait for one, or cancel it.`
  return new AppError('too_many_requests', message, { retryAfterSeconds: 5 })
}

async function insertAndStart(
  ctx: WorkspaceCtx,
  job: NewJob,
  database: OpenDatabase | undefined,
): Promise<JobRow | undefined> {
  const starting = startJob(ctx, job, database)
  let row: JobRow | undefined
  try {
    row = await insertWithinLimit(ctx, job)
    return row
  } finally {
    if (row) starting.run(row)
    else starting.abandon()
  }
}

async function insertWithinLimit(ctx: WorkspaceCtx, job: NewJob): Promise<JobRow | undefined> {
  const limit = { maxGoing: MAX_GOING_PER_PERSON, aliveSince: toAliveSince(job.created_at) }
  const { isAllowed, row } = await insertJobWithinLimit(ctx, job, limit)
  if (!isAllowed) throw tooManyQueriesError()
  return row
}

async function insertManual(ctx: WorkspaceCtx, job: NewJob): Promise<InTransaction> {
  return await transaction(ctx, async (ctx) => {
    await lockLimit(ctx, 'queries', ctx.actor.profileId)
    if ((await countGoingJobs(ctx, toAliveSince(job.created_at))) >= MAX_GOING_PER_PERSON) throw tooManyQueriesError()
    return await insertInTransaction(ctx, job)
  })
}

/** Undefined for a connected database. Missing databases and permissions are refused before a job exists. */
async function findDatabase(ctx: WorkspaceCtx, integrationCode: string): Promise<OpenDatabase | undefined> {
  const isConnected =
    integrationCode !== managedCode(ctx.workspace.code) &&
    (await listOutsideDatabases(ctx)).some(({ trellis_code }) => trellis_code === integrationCode)
  return isConnected ? undefined : await openDatabase(ctx, integrationCode)
}

/** Others' worksheets look like missing ones. */
async function assertWorksheet(ctx: WorkspaceCtx, fileId: string | undefined): Promise<void> {
  if (fileId !== undefined && !(await hasWorksheet(ctx, fileId))) {
    throw new AppError('not_found', 'There is no such worksheet.')
  }
}

const createStatement = ({ start, end }: { start: number; end: number }): StoredStatement => ({
  start,
  end,
  status: 'waiting',
  command: null,
  columns: null,
  rows: 0,
  cut_at: null,
  notices: [],
  duration_ms: null,
  plan: null,
  problem: null,
  chunks: [],
})

export async function getJobRow(ctx: WorkspaceCtx, id: string): Promise<JobRow> {
  const live = findOwnLiveJob(ctx, id)
  if (live && !isFinished(live.progress())) return live.row()
  const row = await findJob(ctx, id)
  if (!row) throw new AppError('not_found', 'There is no such query, or it is not yours.')
  if (live) return { ...live.row(), results_deleted_at: row.results_deleted_at }
  const now = ctx.clock.now()
  const aliveSince = toAliveSince(now)
  if (isFinished(row) || row.heartbeat_at > aliveSince) return row
  await failLostJob(ctx, id, { problem: LOST_PROBLEM, now, aliveSince })
  return { ...row, status: 'failed', problem: LOST_PROBLEM, finished_at: now }
}

export function findOwnLiveJob({ workspace, actor }: WorkspaceCtx, id: string): LiveJob | undefined {
  const live = findLiveJob(id)
  const isOwn = live?.owner.workspaceId === workspace.id && live.owner.profileId === actor.profileId
  return isOwn ? live : undefined
}

export const isFinished = ({ status }: Pick<JobRow, 'status'>): boolean => status !== 'queued' && status !== 'running'

export async function getSqlJob(ctx: WorkspaceCtx, id: string): Promise<SqlJob> {
  const row = await getJobRow(ctx, id)
  if (!isFinished(row)) await markFollowed(ctx, id, ctx.clock.now())
  return toJob(row)
}

export async function cancelSqlJob(ctx: WorkspaceCtx, id: string): Promise<SqlJob> {
  await getJobRow(ctx, id)
  await requestCancel(ctx, id, ctx.clock.now())
  const live = findLiveJob(id)
  live?.cancel()
  await live?.finished
  return toJob(await getJobRow(ctx, id))
}

export async function keepSqlJobRunning(ctx: WorkspaceCtx, id: string): Promise<SqlJob> {
  const row = await getJobRow(ctx, id)
  await markKeepRunning(ctx, id)
  findLiveJob(id)?.keepRunning()
  return toJob({ ...row, keep_running: true })
}

export function toJob(row: JobRow): SqlJob {
  return {
    job_id: row.id,
    integration_trellis_code: row.integration_code,
    status: row.status,
    sql: row.sql,
    file_id: row.file_id,
    row_limit: row.request.rowLimit,
    timeout_seconds: row.request.timeoutSeconds,
    keep_running: row.keep_running,
    statements: row.statements.map(({ chunks: _, ...statement }) => statement),
    problem: row.problem,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    expires_at: row.expires_at.toISOString(),
  }
}
