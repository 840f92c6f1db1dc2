import { type ExecuteSql, RESULT_PAGE, type StartedSqlJob } from '@trellis/contract/sql/sql.schemas'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { findLiveJob, waitForChange } from './live-jobs.ts'
import { countReadable, truncateCells, readRows } from './read-results.ts'
import type { JobRow } from './sql-jobs.repository.ts'
import { executeSql, findOwnLiveJob, toJob } from './sql-jobs.ts'

export async function startSql(ctx: WorkspaceCtx, body: ExecuteSql): Promise<StartedSqlJob> {
  const job = await executeSql(ctx, body)
  if (body.wait_ms === 0) return { ...job, first_rows: [] }
  ctx.http.auditNow()
  const signal = AbortSignal.any([ctx.http.signal, AbortSignal.timeout(body.wait_ms)])
  let live = findOwnLiveJob(ctx, job.job_id)
  for (;;) {
    // Subscribe before reading, or a change in between would be missed.
    const changed = waitForChange(job.job_id, body.wait_ms, signal)
    live ??= findOwnLiveJob(ctx, job.job_id)
    const row = live?.row()
    const first_rows = row ? await readFirstRows(ctx, row) : []
    const isStored = live !== undefined && !findLiveJob(job.job_id)
    if (row && (first_rows.length > 0 || isStored)) return { ...toStarted(row, isStored), first_rows }
    if (signal.aborted) return { ...(row ? toStarted(row, isStored) : job), first_rows }
    await changed
  }
}

/** Report the end only once stored: other processes must not answer "running" afterwards. */
const toStarted = (row: JobRow, isStored: boolean) =>
  toJob(isStored || row.finished_at === null ? row : { ...row, status: 'running', finished_at: null })

async function readFirstRows(ctx: WorkspaceCtx, row: JobRow): Promise<StartedSqlJob['first_rows']> {
  const pages: StartedSqlJob['first_rows'] = []
  for (const statement of row.statements.keys()) {
    const limit = Math.min(RESULT_PAGE, countReadable(row, statement))
    const rows = limit > 0 ? await readRows(ctx, row, { statement, firstRow: 0, limit }) : []
    if (rows.length > 0) pages.push({ statement, first_row: 0, ...truncateCells(rows) })
  }
  return pages
}
