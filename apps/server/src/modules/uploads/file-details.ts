import { Readable } from 'node:stream'
import type { FileBody } from '@trellis/contract/core/shapes'
import type { DataModel, Dialect, FileModel, UploadFile } from '@trellis/contract/uploads/uploads.schemas'
import { toCsvCell } from '@trellis/table-files/write/write-csv'
import { type Receipt, canUndo, listReceipts } from '@trellis/loads/receipts'
import { type Target, findTarget, hasSchema } from '@trellis/loads/target'
import type { Session } from '@trellis/workspace-db/session'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { openDatabase } from '../../platform/workspace-database/open-database.ts'
import { proposeModel } from './plan/data-model.ts'
import { findFileTarget, getProfile } from './plan/file-plan.ts'
import { toLoad } from './load-summary.ts'
import { withReadSession } from './with-read-session.ts'
import { toUploadFile } from './show-file.ts'
import { findBadRows, findFilesByLoads, findUndoneLoadIds } from './uploads.repository.ts'
import { getFile } from './uploads.service.ts'

interface TableParams {
  readonly integration_trellis_code: string
  readonly schema_name: string
  readonly table_name: string
}

const createColumnFormatter = (target: Target) => (column: Target['columns'][number]) => ({
  name: column.name,
  type: column.type,
  is_nullable: column.isNullable,
  has_default: column.hasDefault || column.isIdentity,
  is_primary_key: target.primaryKey.includes(column.name),
})

/** The saved data model, if it is for this table, otherwise a new proposal. */
export async function getDataModel(
  ctx: WorkspaceCtx,
  params: TableParams & { file_id: string },
  requestedMode: FileModel['file']['mode'] | undefined,
): Promise<FileModel> {
  const file = await getFile(ctx, params.file_id, params.integration_trellis_code)
  if (file.schema_name !== params.schema_name) throw new AppError('not_found', 'The file was sent to another schema.')
  const profile = getProfile(file)
  const mode = requestedMode ?? file.mode
  const database = await openDatabase(ctx, params.integration_trellis_code)
  const target = await withReadSession(ctx, database, (session) =>
    findFileTarget(session, file, { mode, table: params.table_name }),
  )
  const isSavedModelUsable = file.data_model !== null && mode === file.mode && params.table_name === file.table_name
  const model = isSavedModelUsable ? (file.data_model as DataModel) : proposeModel(profile, target)
  return {
    file: await toUploadFile(ctx, file),
    data_model: model,
    columns: profile.columns.map(({ header, fitting_types, empty_values, longest }) => ({
      header,
      fitting_types: [...fitting_types],
      empty_values,
      longest,
    })),
    sample: profile.sample.map((row) => [...row]),
    profiled_rows: profile.rows,
    sheets: [...profile.sheets],
    table_columns: target
      ? target.columns.filter((column) => !column.isGenerated).map(createColumnFormatter(target))
      : [],
    warnings: [...profile.warnings],
    reasons: [...(profile.reasons ?? [])],
    second_readings: (profile.second_readings ?? []).map(({ label, dialect }) => ({
      label,
      dialect: dialect as Partial<Dialect>,
    })),
  }
}

export async function getTableSchema(ctx: WorkspaceCtx, params: TableParams) {
  const target = await getTable(ctx, params)
  return {
    schema_name: target.schema,
    table_name: target.table,
    columns: target.columns.map(createColumnFormatter(target)),
    primary_keys: [...target.primaryKey],
  }
}

async function getTable(ctx: WorkspaceCtx, params: TableParams): Promise<Target> {
  const database = await openDatabase(ctx, params.integration_trellis_code)
  const target = await withReadSession(ctx, database, (session) =>
    findTarget(session, { schema: params.schema_name, table: params.table_name }),
  )
  if (!target) throw new AppError('not_found', 'There is no such table, or it can not take rows.')
  return target
}

export async function listTableFiles(ctx: WorkspaceCtx, params: TableParams) {
  const database = await openDatabase(ctx, params.integration_trellis_code)
  const receipts = await withReadSession(ctx, database, async (session) => {
    if (!(await hasSchema(session, params.schema_name))) throw new AppError('not_found', 'There is no such schema.')
    return await listReceipts(session, { schema: params.schema_name, table: params.table_name })
  })
  const loadIds = receipts.map(({ loadId }) => loadId)
  const files = await findFilesByLoads(ctx, { workspaceId: ctx.workspace.id, loadIds })
  const undoneLoadIds = await findUndoneLoadIds(ctx, loadIds)
  return receipts.map((receipt) => {
    const file = files.find((candidate) => candidate.load_id === receipt.loadId)
    return {
      ...toLoad(receipt, canUndo(receipt, receipts)),
      file_id: file?.id ?? null,
      original_filename: file?.original_filename ?? null,
      quarantined_rows: receipt.quarantined,
      is_undone: undoneLoadIds.has(receipt.loadId),
    }
  })
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** By file id, or by oid of the table it was loaded into. */
export async function getFileMetadata(
  ctx: WorkspaceCtx,
  params: { integration_trellis_code: string; file_id_table_id: string },
): Promise<UploadFile> {
  const id = params.file_id_table_id
  if (UUID.test(id)) return await toUploadFile(ctx, await getFile(ctx, id, params.integration_trellis_code))
  const database = await openDatabase(ctx, params.integration_trellis_code)
  const loads = /^\d{1,10}$/.test(id)
    ? await withReadSession(ctx, database, (session) => listTableLoads(session, id))
    : []
  const files = await findFilesByLoads(ctx, {
    workspaceId: ctx.workspace.id,
    loadIds: loads.map(({ loadId }) => loadId),
  })
  const newest = loads
    .map(({ loadId }) => files.find((file) => file.load_id === loadId))
    .find((file) => file !== undefined)
  if (!newest) throw new AppError('not_found', 'There is no such file.')
  return await toUploadFile(ctx, newest)
}

async function listTableLoads(session: Session, oid: string): Promise<Receipt[]> {
  const { rows } = await session.query({
    text: `select n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = $1::bigint::oid`,
    values: [oid],
  })
  const [schema, table] = rows[0] ?? []
  if (!schema || !table || !(await hasSchema(session, schema))) return []
  return await listReceipts(session, { schema, table })
}

const DEFAULT_PAGE_SIZE = 100

export async function listBadRows(
  ctx: WorkspaceCtx,
  params: { integration_trellis_code: string; file_id: string },
  query: { after?: number | undefined; limit?: number | undefined },
) {
  const file = await getFile(ctx, params.file_id, params.integration_trellis_code)
  const limit = query.limit ?? DEFAULT_PAGE_SIZE
  const rows = await findBadRows(ctx, { fileId: file.id, after: query.after ?? 0, limit: limit + 1 })
  const items = rows.slice(0, limit).map((row) => ({
    row: row.row_number,
    line: row.line_number,
    column: row.column_name,
    value: row.value,
    reason: row.reason,
  }))
  return { items, next_after: rows.length > limit ? (items.at(-1)?.row ?? null) : null }
}

/** As CSV, with an apostrophe before formulas (CSV injection). */
export async function downloadBadRows(
  ctx: WorkspaceCtx,
  params: { integration_trellis_code: string; file_id: string },
): Promise<FileBody> {
  const file = await getFile(ctx, params.file_id, params.integration_trellis_code)
  const rows = await findBadRows(ctx, { fileId: file.id, after: 0, limit: 10_001 })
  const lines = rows.map((row) => [row.row_number, row.line_number, row.column_name, row.value, row.reason, row.raw])
  const text = [['row', 'line', 'column', 'value', 'reason', 'text'], ...lines]
    .map((line) =>
      line.map((cell) => (cell === null ? '' : toCsvCell(String(cell), { isFormulaSafe: true }))).join(','),
    )
    .join('\r\n')
  const bytes = Buffer.from(`\ufeff${text}\r\n`)
  return {
    name: `bad rows of ${file.original_filename}.csv`,
    contentType: 'text/csv; charset=utf-8',
    size: bytes.length,
    tag: `${file.id}-${file.updated_at.getTime()}`,
    open: async (range) => Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes]),
  }
}
