import { RESULT_PAGE, type ResultPage } from '@trellis/contract/sql/sql.schemas'
import { truncateText } from '@trellis/workspace-db/cut-text'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { findLiveJob } from './live-jobs.ts'
import { type PendingRows, type ResultRow, type RowSlice, readStoredRows } from './result-store.ts'
import { getJobRow, isFinished } from './sql-jobs.ts'
import type { JobRow, StoredStatement } from './sql-jobs.repository.ts'

/** Longer cells are truncated in pages and fetched separately. */
const MAX_CELL_CHARACTERS = 10_000

export interface RowRange {
  readonly statement: number
  readonly firstRow: number
  readonly limit: number
}

export async function getResultPage(
  ctx: WorkspaceCtx,
  { job_id, statement: at }: { job_id: string; statement: number },
  { first_row = 0, limit = RESULT_PAGE }: { first_row?: number | undefined; limit?: number | undefined },
): Promise<ResultPage> {
  const row = await getJobRow(ctx, job_id)
  const statement = getStatement(row, at)
  const rows = await readRows(ctx, row, { statement: at, firstRow: first_row, limit })
  return {
    columns: statement.columns ?? [],
    first_row,
    ...truncateCells(rows),
    total_rows: countReadable(row, at),
    is_complete: isFinished(row) || statement.status === 'completed',
  }
}

export async function getResultCell(
  ctx: WorkspaceCtx,
  cell: { job_id: string; statement: number; row: number; column: number },
): Promise<{ value: string | null }> {
  const row = await getJobRow(ctx, cell.job_id)
  getStatement(row, cell.statement)
  const [found] = await readRows(ctx, row, { statement: cell.statement, firstRow: cell.row, limit: 1 })
  const value = found?.[cell.column]
  if (value === undefined) throw new AppError('not_found', 'There is no such cell in this result.')
  return { value }
}

export function getStatement(row: JobRow, at: number): StoredStatement {
  const statement = row.statements[at]
  if (!statement) throw new AppError('not_found', 'There is no such statement in this query.')
  if (row.results_deleted_at) {
    throw new AppError('not_found', 'The result has expired. Run the query again.')
  }
  return statement
}

export async function readRows(ctx: WorkspaceCtx, row: JobRow, range: RowRange): Promise<ResultRow[]> {
  const { statement, firstRow, limit } = range
  const live = findLiveJob(row.id)
  const chunks = live?.progress().statements[statement]?.chunks ?? row.statements[statement]?.chunks ?? []
  // Read before awaiting: rows stored meanwhile would be in neither.
  const unstored = decodePending(live?.pendingRows(statement), { firstRow, limit })
  const storedRows = await readStoredRows(ctx.ports.objects, { jobId: row.id, statement, chunks }, { firstRow, limit })
  return [...storedRows, ...unstored]
}

function decodePending(pending: PendingRows | undefined, { firstRow, limit }: RowSlice): ResultRow[] {
  if (!pending) return []
  const first = Math.max(firstRow, pending.firstRow)
  return pending.decode({ firstRow: first, limit: firstRow + limit - first })
}

export function countReadable(row: JobRow, statement: number): number {
  const pending = findLiveJob(row.id)?.pendingRows(statement)
  if (pending) return pending.firstRow + pending.count
  return (row.statements[statement]?.chunks ?? []).reduce((sum, chunk) => sum + chunk.rows, 0)
}

export function truncateCells(rows: readonly ResultRow[]): { rows: (string | null)[][]; cut: [number, number][] } {
  const cut: [number, number][] = []
  const shown = rows.map((row, at) =>
    row.map((value, column) => {
      if (value === null || value.length <= MAX_CELL_CHARACTERS) return value
      cut.push([at, column])
      return truncateText(value, MAX_CELL_CHARACTERS)
    }),
  )
  return { rows: shown, cut }
}
