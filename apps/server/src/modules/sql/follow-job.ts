import { setTimeout as sleep } from 'node:timers/promises'
import { RESULT_PAGE, type SqlEvent, type SqlJob } from '@trellis/contract/sql/sql.schemas'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { type LiveJob, findLiveJob, waitForChange } from './live-jobs.ts'
import { countReadable, cutCells, readRows } from './read-results.ts'
import { findOwnLiveJob, getJobRow, isFinished, toJob } from './sql-jobs.ts'
import { type JobRow, markFollowed } from './sql-jobs.repository.ts'

/** A job of another process is only seen through the database. */
const POLL_MS = 300
/** One of this process tells its changes: it is looked at only to note that it is followed. */
const LIVE_POLL_MS = 1_000
const MARK_FOLLOWED_MS = 10_000
/** Changes come with every batch of rows; nobody sees more than this. */
const MIN_PAUSE_MS = 40

interface Resume {
  readonly statement?: number | undefined
  readonly row?: number | undefined
}

export async function followSqlJob(ctx: WorkspaceCtx, id: string, resume: Resume): Promise<AsyncIterable<SqlEvent>> {
  const row = findOwnLiveJob(ctx, id)?.row() ?? (await getJobRow(ctx, id))
  return events(ctx, row, resume)
}

async function* events(ctx: WorkspaceCtx, first: JobRow, resume: Resume): AsyncGenerator<SqlEvent> {
  const { signal } = ctx.wire
  const sent = first.statements.map((_, at) => countSentBefore(at, resume))
  const tell = createTeller()
  // A new job counts as followed from its start: its first rows need not wait for another write.
  let markedAt = first.created_at.getTime()
  let row = first
  // Kept beyond its end, which it knows without another look into the database.
  const live = findLiveJob(row.id)
  let isStored = live === undefined
  for (;;) {
    // Listens before it looks: a change in between would be seen only with the next one.
    const changed = waitForChange(row.id, live ? LIVE_POLL_MS : POLL_MS, signal)
    row = live ? live.row() : isFinished(row) ? row : await getJobRow(ctx, row.id)
    const isOver = isFinished(row)
    // The end is told only when it is stored: other processes must not answer that it still runs.
    const job = toJob(isOver && !isStored ? { ...row, status: 'running', finished_at: null } : row)
    yield* tell(job)
    for (const [statement, rowsSent] of sent.entries()) {
      const limit = Math.min(RESULT_PAGE, countReadable(row, statement)) - rowsSent
      if (limit <= 0) continue
      const rows = await readRows(ctx, row, { statement, firstRow: rowsSent, limit })
      sent[statement] = rowsSent + rows.length
      if (rows.length > 0) yield { kind: 'rows', statement, first_row: rowsSent, ...cutCells(rows) }
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
    // The first rows and the end are told at once, what is in between at the pace of a screen.
    if (sent.some((rows) => rows > 0)) await pause(signal, live)
  }
}

/** Tells a job when it has changed, and its text once. */
function createTeller(): (job: SqlJob) => SqlEvent[] {
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
