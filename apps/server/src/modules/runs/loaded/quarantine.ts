import type { FileBody } from '@trellis/contract/core/shapes'
import type * as schemas from '@trellis/contract/runs/runs.schemas'
import {
  type QuarantinedRow,
  countWaitingRows,
  dismissRows,
  listQuarantinedRows,
  listRejectedColumns,
  sendRows,
} from '@trellis/loads/run/quarantine'
import { toCsvCell } from '@trellis/table-files/write/write-csv'
import { inTransaction } from '@trellis/workspace-db/session/in-transaction'
import type { Session } from '@trellis/workspace-db/session'
import type * as z from 'zod/mini'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { managedCode, openDatabase } from '../../../platform/workspace-database/open-database.ts'
import { getRootCode, getRun } from '../runs.service.ts'
import { withRunSession } from '../work/loads/load-session.ts'

const ROWS_PER_PAGE = 100
const ROWS_PER_READ = 1000

export async function withRunDatabase<T>(ctx: WorkspaceCtx, work: (session: Session) => Promise<T>): Promise<T> {
  const database = await openDatabase(ctx, managedCode(ctx.workspace.code))
  return await withRunSession(database, ctx.http.signal, work)
}

export async function readQuarantine(
  ctx: WorkspaceCtx,
  code: string,
  { after }: z.infer<typeof schemas.QuarantineFilter>,
): Promise<z.infer<typeof schemas.QuarantinePage>> {
  const rootCode = await getRootCode(ctx, code)
  const position = after === undefined ? undefined : parseCursor(after)
  const { rows, hasMore, waiting } = await withRunDatabase(ctx, async (session) => ({
    ...(await listQuarantinedRows(session, rootCode, { after: position, limit: ROWS_PER_PAGE })),
    waiting: await countWaitingRows(session, rootCode),
  }))
  const last = rows.at(-1)
  return {
    rows: rows.map(({ loadId, cells, raw, ...row }) => ({
      ...row,
      load_id: loadId,
      values: cells,
      raw: row.column === null ? raw : null,
    })),
    next: hasMore && last ? `${last.loadId}.${last.row}` : null,
    waiting,
  }
}

/** As CSV, with an apostrophe before formulas (CSV injection). */
export async function downloadQuarantine(ctx: WorkspaceCtx, code: string): Promise<FileBody> {
  const rootCode = await getRootCode(ctx, code)
  return {
    name: `rejected rows of ${rootCode}.csv`,
    contentType: 'text/csv; charset=utf-8',
    size: null,
    tag: rootCode,
    open: async () => writeRejectedCsv(ctx, rootCode),
  }
}

const FIXED_COLUMNS = ['subtask', 'row', 'line', 'column', 'reason', 'state', 'text']

/** Two columns of one name could not be told apart. */
const toHeading = (column: string) => (FIXED_COLUMNS.includes(column) ? `${column} (value)` : column)

async function* writeRejectedCsv(ctx: WorkspaceCtx, rootCode: string): AsyncGenerator<Uint8Array> {
  const columns = await withRunDatabase(ctx, (session) => listRejectedColumns(session, rootCode))
  yield Buffer.from(`\ufeff${toCsvLine([...FIXED_COLUMNS, ...columns.map(toHeading)])}`)
  for (let after: QuarantinedRow | undefined; ;) {
    const position = after
    const { rows, hasMore } = await withRunDatabase(ctx, (session) =>
      listQuarantinedRows(session, rootCode, { after: position, limit: ROWS_PER_READ }),
    )
    yield Buffer.from(rows.map((row) => toCsvLine(toRejectedCells(row, columns))).join(''))
    after = rows.at(-1)
    if (!hasMore) return
  }
}

const toRejectedCells = (row: QuarantinedRow, columns: readonly string[]) => [
  row.subtask,
  String(row.row),
  String(row.line),
  row.column,
  row.reason,
  row.state,
  row.column === null ? row.raw : null,
  ...columns.map((name) => row.cells[name] ?? null),
]

const toCsvLine = (cells: readonly (string | null)[]) =>
  `${cells.map((cell) => (cell === null ? '' : toCsvCell(cell, { isFormulaSafe: true }))).join(',')}\r\n`

const POSITION = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,15})$/

function parseCursor(after: string): { loadId: string; row: number } {
  const [, loadId, row] = POSITION.exec(after) ?? []
  if (loadId === undefined || row === undefined) {
    throw new AppError('invalid_request', 'This is not a position in the list.', { source: { parameter: 'after' } })
  }
  return { loadId, row: Number(row) }
}

export async function settleQuarantine(
  ctx: WorkspaceCtx,
  code: string,
  { choice, rows }: z.infer<typeof schemas.SettleQuarantine>,
): Promise<z.infer<typeof schemas.SettledQuarantine>> {
  const { is_shadow: isShadow } = await getRun(ctx, code)
  if (isShadow) throw new AppError('conflict', 'This was a dry run: none of its rows goes anywhere.')
  const rootCode = await getRootCode(ctx, code)
  const rowsToSettle = rows.map(({ load_id: loadId, row, values = {} }) => ({ loadId, row, values }))
  const { settled, refused } = await withRunDatabase(ctx, (session) =>
    inTransaction(session, async () =>
      choice === 'send'
        ? await sendRows(session, rootCode, rowsToSettle)
        : { settled: await dismissRows(session, rootCode, rowsToSettle), refused: [] },
    ),
  )
  ctx.http.addAuditDetail({ what: `${choice === 'send' ? 'sent' : 'dismissed'} ${settled} rows that did not fit` })
  return { settled, refused: refused.map(({ loadId, ...row }) => ({ ...row, load_id: loadId })) }
}
