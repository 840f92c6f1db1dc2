import { Readable } from 'node:stream'
import type { JobRun } from '@trellis/jobs/attempt'
import { WRITE_FORMATS } from '@trellis/table-files/write/file-formats'
import { FormatLimit } from '@trellis/table-files/write/table-stream'
import { findTable } from '@trellis/workspace-db/catalogue/find-table'
import type { Cluster } from '@trellis/workspace-db/cluster'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { AppError } from '../../platform/app-error.ts'
import type { SystemCtx } from '../../platform/ctx.ts'
import { findWorkspaceDatabase } from '../../platform/workspace-database/workspace-databases.ts'
import { exportBytes, exportKey } from './export-files.ts'
import {
  type ExportRow,
  type StoredRequest,
  deleteExport,
  failAbandoned,
  findRunning,
  saveExportProgress,
  finishExport,
  sumExportBytes,
  listExpired,
} from './exports.repository.ts'
import { notifyExport } from './notify-export.ts'
import { withReadSession } from './open-session.service.ts'
import { deleteExpiredRowEdits } from './row-edits/row-edits.repository.ts'

const BEAT_MS = 1_000
const LIMITS = {
  statementMs: 3600_000,
  maxRows: Number.MAX_SAFE_INTEGER,
  maxBytes: Number.MAX_SAFE_INTEGER,
}
/** A view can have more rows than any disk holds. */
export const EXPORT_ROOM_BYTES = 20 * 1024 ** 3
const ABANDONED_MS = 4 * 3600_000

export async function handleExport(ctx: SystemCtx, payload: { export_id: string }, run: JobRun): Promise<void> {
  const row = await findRunning(ctx, payload.export_id)
  if (!row) return
  const cancelled = new AbortController()
  try {
    const signal = AbortSignal.any([run.signal, cancelled.signal])
    const done = await write(ctx, row, { signal, cancel: () => cancelled.abort() })
    const outcome = { status: 'completed', ...done, finished_at: ctx.clock.now() } as const
    if (!(await finishExport(ctx, row.id, outcome))) await ctx.ports.objects.delete(exportKey(row.id))
    else await notifyExport(ctx, row, null)
  } catch (error) {
    if (cancelled.signal.aborted) return
    const reason = findFailureReason(error)
    if (run.signal.aborted || (reason === undefined && !run.isLastAttempt)) throw error
    const sentence = reason ?? 'Something went wrong on our side. Start the export again.'
    await finishExport(ctx, row.id, { status: 'failed', error: sentence, finished_at: ctx.clock.now() })
    await notifyExport(ctx, row, sentence)
    if (reason === undefined) throw error
  }
}

function findFailureReason(error: unknown): string | undefined {
  if (error instanceof FormatLimit || error instanceof AppError) return error.message
  const isPassing = error instanceof WorkspaceDbError && ['unavailable', 'busy', 'locked'].includes(error.code)
  return error instanceof WorkspaceDbError && !isPassing ? error.message : undefined
}

interface Control {
  readonly signal: AbortSignal
  readonly cancel: () => void
}

async function write(ctx: SystemCtx, row: ExportRow, { signal, cancel }: Control) {
  const request = row.request as StoredRequest
  const { account_id: accountId, workspace_id: workspaceId, integration_code: integrationCode } = row
  const workspace = await findWorkspaceDatabase(ctx, workspaceId)
  if (!workspace) throw new AppError('not_found', 'The workspace no longer exists.')
  const place = { accountId, workspaceId, workspaceCode: workspace.trellis_code, integrationCode }
  return await withReadSession(ctx, { ...place, limits: LIMITS, signal }, async (session, database) => {
    const table = await findTable(session, { schema: row.schema_name, name: row.table_name })
    if (!table) throw new AppError('not_found', 'The table was not found any more.')
    let rows = 0
    const isCopied = request.format === 'csv' || request.format === 'jsonl'
    const beat = setInterval(() => {
      const isAsked = isCopied && database.kind === 'managed'
      const known = isAsked ? copiedRows(database.cluster, session.processId) : Promise.resolve(rows)
      void known
        .then(async (count) => {
          if (!(await saveExportProgress(ctx, row.id, count))) cancel()
        })
        .catch((error: unknown) => ctx.log.warn({ err: error }, 'The progress of an export could not be noted.'))
    }, BEAT_MS)
    try {
      const room = EXPORT_ROOM_BYTES - (await sumExportBytes(ctx, row.account_id))
      const bytes = exportBytes(session, { table, request, onRows: (count) => (rows = count) })
      const body = Readable.from(
        limitBytes(
          room,
          reportRows(bytes, (count) => (rows = count)),
        ),
        { objectMode: false },
      )
      const { contentType } = WRITE_FORMATS[request.format]
      const { size } = await ctx.ports.objects.put(exportKey(row.id), body, { contentType })
      return { rows_written: rows, size_bytes: size }
    } finally {
      clearInterval(beat)
    }
  })
}

async function* reportRows(bytes: AsyncGenerator<Uint8Array, number, undefined>, onEnd: (rows: number) => void) {
  onEnd(yield* bytes)
}

async function* limitBytes(room: number, bytes: AsyncIterable<Uint8Array>) {
  let taken = 0
  for await (const chunk of bytes) {
    taken += chunk.length
    if (taken > room) throw new AppError('limit_reached', NO_ROOM)
    yield chunk
  }
}

const NO_ROOM =
  'The exports of an account may take 20 GB together. Choose fewer rows, or remove older exports and start again.'

async function copiedRows(cluster: Cluster, processId: number): Promise<number> {
  const { rows } = await cluster.admin.query<{ rows: string }>(
    'select tuples_processed as rows from pg_stat_progress_copy where pid = $1',
    [processId],
  )
  return Number(rows[0]?.rows ?? 0)
}

export async function handleRemoveExpired(ctx: SystemCtx): Promise<void> {
  const now = ctx.clock.now()
  await failAbandoned(ctx, new Date(now.getTime() - ABANDONED_MS), now)
  for (const id of await listExpired(ctx, now)) {
    await ctx.ports.objects.delete(exportKey(id))
    await deleteExport(ctx, id)
  }
  await deleteExpiredRowEdits(ctx, now)
}
