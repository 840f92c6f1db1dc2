import type { SqlProblem } from '@trellis/contract/sql/sql.schemas'
import { truncateText } from '@trellis/workspace-db/cut-text'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import type { Session } from '@trellis/workspace-db/session'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import type { OpenDatabase } from '../../platform/workspace-database/open-database.ts'
import { assertAllowed } from './grammar/connected-statements.ts'
import { type HeartbeatResult, startHeartbeat } from './heartbeats.ts'
import { prepareSession } from './job-session.ts'
import { publishJobChange, registerLiveJob } from './live-jobs.ts'
import { prepareStatement, toProblem } from './grammar/prepare-statements.ts'
import { type ResultWriter, createResultWriter } from './result-store.ts'
import { runStatement } from './run-statement.ts'
import { mayHaveReferences } from './saved-results/result-references.ts'
import { withResults } from './saved-results/use-results.ts'
import { type JobProgress, type JobRow, type StoredStatement, saveEnd } from './sql-jobs.repository.ts'

/** A query that no page has polled for this long is cancelled. Longer than a page reload takes. */
const UNFOLLOWED_MS = 60_000
const ROLE_PROBLEM: SqlProblem = {
  message:
    'Your role in this workspace has changed, so the query was stopped. What it had not committed was rolled back.',
  hint: null,
  code: 'role_changed',
  position: null,
}
const MAX_NOTICES = 100
const MAX_NOTICE_CHARACTERS = 2_000
export const MAX_RESULT_BYTES = 1024 ** 3

/** Outlives the request. Nothing runs unless a job is stored. */
export function startJob(
  ctx: WorkspaceCtx,
  job: Pick<JobRow, 'integration_code' | 'request' | 'sql'>,
  database: OpenDatabase | undefined,
) {
  const stopping = new AbortController()
  const limits = { maxRows: job.request.rowLimit, maxBytes: MAX_RESULT_BYTES, isReadOnly: false }
  const session = prepareSession(ctx, job, {
    ...{ signal: stopping.signal, limits, database },
    needsPrimary: mayHaveReferences(job.sql),
  })
  return {
    run: (row: JobRow): void => void launchJob(ctx, row, { stopping, open: session.use }),
    abandon(): void {
      session.abandon()
      stopping.abort()
    },
  }
}

interface OpenSession {
  readonly session: Session
  /** Cancels the query by ending the session. */
  readonly stopping: AbortController
  readonly listen: (onNotice: OnNotice) => void
}

export async function runJobIn(ctx: WorkspaceCtx, row: JobRow, openedSession: OpenSession): Promise<Date | null> {
  return await launchJob(ctx, row, {
    stopping: openedSession.stopping,
    open: async (onNotice, work) => {
      openedSession.listen(onNotice)
      await work(openedSession.session)
    },
  })
}

type OnNotice = (notice: { severity: string; message: string }) => void

interface JobConnection {
  readonly stopping: AbortController
  readonly open: (onNotice: OnNotice, work: (session: Session) => Promise<void>) => Promise<void>
}

async function launchJob(ctx: WorkspaceCtx, row: JobRow, place: JobConnection): Promise<Date | null> {
  const { stopping } = place
  const { promise: finished, resolve } = Promise.withResolvers<void>()
  const job = createRunningJob(ctx, row, place)
  registerLiveJob(row.id, {
    owner: { workspaceId: ctx.workspace.id, profileId: ctx.actor.profileId },
    row: job.row,
    keepRunning: job.keepRunning,
    progress: job.progress,
    pendingRows: (at) => job.writers[at]?.pending,
    cancel: () => stopping.abort(),
    finished,
  })
  try {
    await job.run()
  } catch (error) {
    ctx.log.error({ err: error, job: row.id }, 'a query could not be settled')
  } finally {
    resolve()
  }
  return job.progress().finishedAt
}

/** The state of a job in this process. Heartbeats save it and deliver cancel requests; `run` settles it. */
function createRunningJob(ctx: WorkspaceCtx, row: JobRow, { stopping, open }: JobConnection) {
  const statements: StoredStatement[] = [...row.statements]
  const writers: ResultWriter[] = statements.map((_, statement) =>
    createResultWriter(ctx.ports.objects, { jobId: row.id, statement }),
  )
  let state: Omit<JobProgress, 'statements'> = {
    status: 'queued',
    problem: null,
    startedAt: null,
    finishedAt: null,
    backendPid: null,
  }
  const progress = (): JobProgress => ({
    ...state,
    statements: statements.map((statement, at) => ({ ...statement, chunks: [...(writers[at]?.chunks ?? [])] })),
  })
  let isKeptRunning = row.keep_running
  let hasLostRole = false
  const update = (at: number, change: Partial<StoredStatement>) => {
    const current = statements[at]
    if (current) statements[at] = { ...current, ...change }
    publishJobChange(row.id)
  }

  function applyHeartbeat({ control, hasKeptRole, now }: HeartbeatResult): void {
    isKeptRunning = control?.keepRunning ?? isKeptRunning
    const isUnfollowed = control && !control.keepRunning && now.getTime() - control.followedAt.getTime() > UNFOLLOWED_MS
    if (!hasKeptRole) hasLostRole = true
    if (!control || control.isCancelled || isUnfollowed || !hasKeptRole) stopping.abort()
  }

  async function runAll(session: Session): Promise<void> {
    await withResults(ctx, { row, session }, (sql) => runStatements(session, sql))
  }

  async function runStatements(session: Session, sql: string): Promise<void> {
    state = {
      ...state,
      status: 'running',
      startedAt: state.startedAt ?? ctx.clock.now(),
      // Another session of the primary may have the number.
      backendPid: session.isOnReplica ? null : session.processId,
    }
    publishJobChange(row.id)
    for (const [at, { start, end }] of statements.entries()) {
      const prepared = await prepareStatement(sql, { start, end }, row.request)
      const writer = writers[at] as ResultWriter
      update(at, { status: 'running' })
      try {
        if (session.databaseKind === 'outside') await assertAllowed(prepared.text, session)
        const done = await runStatement(session, prepared, {
          explain: row.request.explain,
          writer,
          onProgress: (change) => update(at, change),
        })
        update(at, { ...done, status: 'completed' })
      } catch (error) {
        // A failing write must not hide the query's error.
        await writer.finish().catch(() => undefined)
        const isCancelled = stopping.signal.aborted
        const isStatement = error instanceof WorkspaceDbError
        const problem = isStatement ? withRoleHint(ctx, toProblem(error, prepared)) : describeFault(ctx, row, error)
        update(at, { status: isCancelled ? 'cancelled' : 'failed', problem })
        for (const [later] of statements.entries()) if (later > at) update(later, { status: 'skipped' })
        throw error
      }
    }
  }

  return {
    writers,
    progress,
    row(): JobRow {
      const { startedAt, finishedAt, backendPid: _, ...rest } = progress()
      return { ...row, ...rest, keep_running: isKeptRunning, started_at: startedAt, finished_at: finishedAt }
    },
    keepRunning: () => {
      isKeptRunning = true
    },
    async run(): Promise<void> {
      const stopHeartbeat = startHeartbeat({ ctx, id: row.id, progress, onHeartbeat: applyHeartbeat })
      try {
        const onNotice: OnNotice = (notice) => {
          const at = statements.findIndex(({ status }) => status === 'running')
          const { notices = [] } = statements[at] ?? {}
          if (at < 0 || notices.length >= MAX_NOTICES) return
          update(at, {
            notices: [...notices, { ...notice, message: truncateText(notice.message, MAX_NOTICE_CHARACTERS) }],
          })
        }
        await open(onNotice, runAll)
        state = { ...state, status: 'completed' }
      } catch (error) {
        const isCancelled = stopping.signal.aborted
        const hasStatementProblem = statements.some(({ problem }) => problem !== null)
        state = {
          ...state,
          status: isCancelled ? 'cancelled' : 'failed',
          problem: hasLostRole ? ROLE_PROBLEM : hasStatementProblem ? null : describeFault(ctx, row, error),
        }
      } finally {
        stopHeartbeat()
      }
      const now = ctx.clock.now()
      state = { ...state, finishedAt: now, backendPid: null }
      await saveEnd(ctx, row.id, { ...progress(), now })
    },
  }
}

/** Read-only transaction, insufficient privilege. */
const WRITE_REFUSED = new Set(['25006', '42501'])
const VIEWER_HINT =
  'Your role in this workspace is viewer, so statements can only read. Ask an admin for the role of an editor.'

const withRoleHint = ({ workspace }: WorkspaceCtx, problem: SqlProblem): SqlProblem =>
  workspace.role === 'workspace_viewer' && WRITE_REFUSED.has(problem.code ?? '')
    ? { ...problem, hint: problem.hint ?? VIEWER_HINT }
    : problem

function describeFault(ctx: WorkspaceCtx, row: JobRow, error: unknown): SqlProblem {
  if (error instanceof WorkspaceDbError) return toProblem(error)
  if (error instanceof AppError) return { message: error.message, hint: null, code: error.code, position: null }
  ctx.log.error({ err: error, job: row.id }, 'a query failed')
  const message = 'Something went wrong on our side. Run the query again.'
  return { message, hint: null, code: 'internal', position: null }
}
