import type * as schemas from '@trellis/contract/explorer/explorer.schemas'
import { PREVIEW_LIMIT } from '@trellis/contract/explorer/explorer.schemas'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { countRows as countTableRows, findCell } from '@trellis/workspace-db/rows/read-cell'
import { readPage } from '@trellis/workspace-db/rows/read-page'
import type * as z from 'zod/mini'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import type { TableKey } from './labels.repository.ts'
import { getTable, withReaderSession } from './open-session.service.ts'
import { saveOpenedTable } from './remembered.repository.ts'

const PREVIEW_MS = 15_000
const COUNT_MS = 600_000
const PREVIEW_BYTES = 32 * 1024 * 1024

export async function previewTable(
  ctx: WorkspaceCtx,
  params: TableKey,
  query: z.infer<typeof schemas.PreviewQuery>,
): Promise<schemas.Preview> {
  const limits = { statementMs: PREVIEW_MS, maxBytes: PREVIEW_BYTES }
  const target = { integrationCode: params.integration_trellis_code, limits }
  const filters = query.filters ?? []
  const preview = await withReaderSession(ctx, target, async (session) => {
    const table = await getTable(session, params)
    const { sort, direction, after, limit = PREVIEW_LIMIT } = query
    // Sorted by key, so that an edited row keeps its place.
    const request = { limit, filters, sort, direction, after, isByKey: true }
    const page = await readPage(session, table, request).catch(explainTimeout(query))
    return {
      columns: table.columns.map(({ name, type, isSortable }) => ({ name, type, is_sortable: isSortable })),
      rows: page.rows.map(({ key, cells, cut }) => ({ key, cells: [...cells], cut: [...cut] })),
      next: page.next,
      rows_estimate: filters.length > 0 ? null : table.rowsEstimate,
      note: page.note,
    }
  })
  if (query.after === undefined) await saveOpenedTable(ctx, params, ctx.clock.now())
  return preview
}

function explainTimeout({ sort, filters }: { sort?: string | undefined; filters?: readonly unknown[] | undefined }) {
  return (error: unknown): never => {
    if (!(error instanceof WorkspaceDbError) || error.code !== 'statement_timeout') throw error
    const advice =
      sort !== undefined
        ? 'Sort by a column that has an index, or show fewer rows with a filter.'
        : (filters?.length ?? 0) > 0
          ? 'Filter by a column that has an index.'
          : 'Try again later, or look at it with a filter.'
    throw new AppError('statement_timeout', `Reading these rows took longer than 15 seconds. ${advice}`, {
      cause: error,
    })
  }
}

export async function getCell(
  ctx: WorkspaceCtx,
  params: TableKey,
  query: z.infer<typeof schemas.CellQuery>,
): Promise<z.infer<typeof schemas.Cell>> {
  const limits = { statementMs: PREVIEW_MS }
  const target = { integrationCode: params.integration_trellis_code, limits }
  const cell = await withReaderSession(ctx, target, async (session) =>
    findCell(session, await getTable(session, params), query),
  )
  if (!cell) throw new AppError('not_found', 'This row no longer exists, or it was changed. Load the rows again.')
  return { value: cell.value, bytes: cell.bytes, is_cut: cell.isCut }
}

export async function countRows(
  ctx: WorkspaceCtx,
  params: TableKey,
  query: z.infer<typeof schemas.CountQuery>,
): Promise<z.infer<typeof schemas.RowCount>> {
  const limits = { statementMs: COUNT_MS }
  return await withReaderSession(
    ctx,
    { integrationCode: params.integration_trellis_code, limits },
    async (session) => ({
      rows: await countTableRows(session, await getTable(session, params), query.filters ?? []),
    }),
  )
}
