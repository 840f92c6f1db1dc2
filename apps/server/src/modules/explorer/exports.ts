import type * as schemas from '@trellis/contract/explorer/explorer.schemas'
import { PREVIEW_LIMIT } from '@trellis/contract/explorer/explorer.schemas'
import type { FileBody } from '@trellis/contract/core/shapes'
import { transaction } from '@trellis/control-db/database'
import { enqueue } from '@trellis/jobs/enqueue'
import { WRITE_FORMATS } from '@trellis/table-files/write/file-formats'
import { checkFilters, getColumn } from '@trellis/workspace-db/rows/filters'
import type * as z from 'zod/mini'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { lockLimit } from '../../platform/limit-lock.ts'
import { exportKey } from './export-files.ts'
import { writeExport } from './explorer.jobs.ts'
import {
  type ExportRow,
  type StoredRequest,
  findExport,
  findExports,
  insertExport,
  markCancelled,
} from './exports.repository.ts'
import type { TableKey } from './labels.repository.ts'
import { getTable, withReaderSession } from './open-session.service.ts'

const LIFE_MS = 3 * 24 * 3600_000
const MAX_RUNNING = 5

interface NewExport {
  readonly isFull: boolean
  readonly body: z.infer<typeof schemas.ExportRequest>
}

export async function exportTable(
  ctx: WorkspaceCtx,
  params: TableKey,
  { isFull, body }: NewExport,
): Promise<schemas.ExportJob> {
  const filters = body.filters ?? []
  await withReaderSession(ctx, { integrationCode: params.integration_trellis_code }, async (session) => {
    const table = await getTable(session, params)
    await checkFilters(session, table, filters)
    if (body.sort !== undefined && !getColumn(table, body.sort).isSortable) {
      throw new AppError('invalid_request', `The column "${body.sort}" has no order. Sort by another one.`)
    }
  })
  await ctx.ports.objects.assertSpace()
  const now = ctx.clock.now()
  const { format, sort, direction } = body
  const request: StoredRequest = {
    format,
    filters,
    sort,
    direction,
    isRaw: body.is_raw === true,
    ...(!isFull && { limit: PREVIEW_LIMIT }),
  }
  return await transaction(ctx, async (ctx) => {
    await lockLimit(ctx, 'exports', ctx.actor.profileId)
    const running = (await findExports(ctx, now)).filter((row) => row.status === 'in_progress')
    if (running.length >= MAX_RUNNING) {
      throw new AppError('conflict', `${MAX_RUNNING} exports of yours are running. Wait for one, or cancel it.`)
    }
    const expiresAt = new Date(now.getTime() + LIFE_MS)
    const row = await insertExport(ctx, params, { request, now, expiresAt })
    await enqueue(ctx, writeExport, { export_id: row.id }, { group: String(ctx.account.id) })
    return toJob(row)
  })
}

export async function listExports(ctx: WorkspaceCtx): Promise<schemas.ExportJob[]> {
  return (await findExports(ctx, ctx.clock.now())).map((row) => toJob(row))
}

export async function getExport(ctx: WorkspaceCtx, id: string): Promise<schemas.ExportJob> {
  return toJob(await getRow(ctx, id))
}

export async function cancelExport(ctx: WorkspaceCtx, id: string): Promise<schemas.ExportJob> {
  const row = await getRow(ctx, id)
  if (row.status === 'failed' || row.status === 'cancelled') return toJob(row)
  const cancelled = await markCancelled(ctx, id, ctx.clock.now())
  await ctx.ports.objects.delete(exportKey(id))
  return toJob(cancelled ?? row)
}

export async function downloadExport(ctx: WorkspaceCtx, id: string): Promise<FileBody> {
  const row = await getRow(ctx, id)
  if (row.status !== 'completed') {
    throw new AppError('conflict', 'This export has no file: it is still being written, or it was stopped.')
  }
  const storedObject = await ctx.ports.objects.stat(exportKey(id))
  if (!storedObject) throw new AppError('not_found', 'The file no longer exists. Export the table again.')
  const { contentType } = WRITE_FORMATS[(row.request as StoredRequest).format]
  return {
    name: fileName(row),
    contentType,
    size: storedObject.size,
    tag: id,
    open: async (range) => (await ctx.ports.objects.get(exportKey(id), range ? { range } : {})).stream,
  }
}

async function getRow(ctx: WorkspaceCtx, id: string): Promise<ExportRow> {
  const row = await findExport(ctx, id, ctx.clock.now())
  if (!row) throw new AppError('not_found', 'There is no such export, or its file is over.')
  return row
}

const fileName = (row: ExportRow) =>
  `${row.table_name}.${WRITE_FORMATS[(row.request as StoredRequest).format].extension}`

function toJob(row: ExportRow): schemas.ExportJob {
  return {
    job_id: row.id,
    status: row.status,
    schema_name: row.schema_name,
    table_name: row.table_name,
    format: (row.request as StoredRequest).format,
    rows_written: row.rows_written,
    size_bytes: row.size_bytes,
    file_name: fileName(row),
    error: row.error,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    expires_at: row.expires_at.toISOString(),
  }
}
