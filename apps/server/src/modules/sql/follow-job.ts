import { setTimeout as sleep } from 'node:timers/promises'
import { RESULT_PAGE, type SqlEvent, type SqlJob } from '@trellis/contract/sql/sql.schemas'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { type LiveJob, findLiveJob, waitForChange } from './live-jobs.ts'
import { countReadable, truncateCells, readRows } from './read-results.ts'
import { findOwnLiveJob, getJobRow, isFinished, toJob } from './sql-jobs.ts'
import { type JobRow, markFollowed } from './sql-jobs.repository.ts'

/** Jobs of other processes are only visible in the database. */
const POLL_MS = 300
/** Local jobs notify; polling only records that they are followed. */
const LIVE_POLL_MS = 1_000
const MARK_FOLLOWED_MS = 10_000
const MIN_PAUSE_MS = 40

interface Resume {
  readonly statement?: number | undefined
  readonly row?: number | undefined
}

export async function followSqlJob(ctx: WorkspaceCtx, id: string, resume: Resume): Promise<AsyncIterable<SqlEvent>> {
  const row = findOwnLiveJob(ctx, id)?.row() ?? (await getJobRow(ctx, id))
  return streamEvents(ctx, row, resume)
}

async function* streamEvents(ctx: WorkspaceCtx, first: JobRow, resume: Resume): AsyncGenerator<SqlEvent> {
  const { signal } = ctx.http
  const sent = first.statements.map((_, at) => countSentBefore(at, resume))
  const toChangedEvents = createChangeReporter()
  // New jobs count as followed, which saves a write before the first rows.
  let markedAt = first.created_at.getTime()
  let row = first
  const live = findLiveJob(row.id)
  let isStored = live === undefined
  for (;;) {
    // Subscribe before reading, or a change in between would be missed.
    const changed = waitForChange(row.id, live ? LIVE_POLL_MS : POLL_MS, signal)
    row = live ? live.row() : isFinished(row) ? row : await getJobRow(ctx, row.id)
    const isOver = isFinished(row)
    // Report the end only once stored: other processes must not answer "running" afterwards.
    const job = toJob(isOver && !isStored ? { ...row, status: 'running', finished_at: null } : row)
    yield* toChangedEvents(job)
    for (const [statement, rowsSent] of sent.entries()) {
      const limit = Math.min(RESULT_PAGE, countReadable(row, statement)) - rowsSent
      if (limit <= 0) continue
      const rows = await readRows(ctx, row, { statement, firstRow: rowsSent, limit })
      sent[statement] = rowsSent + rows.length
      if (rows.length > 0) yield { kind: 'rows', statement, first_row: rowsSent, ...truncateCells(rows) }
    }
    if ((isOver && isStored) || signal.aborted) return
    if (isOver) {
      await live?.finished
      isStored = true
      continue
    }
    const now = ctx.clock.now().getTime()
    if (now - markedAt >= MARK_FOLLOWED_MS) {
      markedAt = now
      await markFollowed(ctx, row.id, ctx.clock.now())
    }
    await changed
    if (sent.some((rows) => rows > 0)) await pause(signal, live)
  }
}

function createChangeReporter(): (job: SqlJob) => SqlEvent[] {
  let told: string | undefined
  return ({ sql, ...job }) => {
    const before = told
    told = JSON.stringify(job)
    if (told === before) return []
    return [{ kind: 'job', job: before === undefined ? { ...job, sql } : job }]
  }
}

async function pause(signal: AbortSignal, live: LiveJob | undefined): Promise<void> {
  const over = new AbortController()
  const pausing = sleep(MIN_PAUSE_MS, undefined, { signal: AbortSignal.any([signal, over.signal]) })
  await Promise.race([pausing.catch(() => undefined), ...(live ? [live.finished] : [])])
  over.abort()
}

const countSentBefore = (at: number, { statement = 0, row = 0 }: Resume): number =>
  at < statement ? RESULT_PAGE : at === statement ? row : 0
