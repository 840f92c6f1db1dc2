import type { FileBody } from '@trellis/contract/core/shapes'
import type { ResultColumn } from '@trellis/contract/sql/sql.schemas'
import { WRITE_FORMATS, type WriteFormat } from '@trellis/table-files/write/file-formats'
import { toColumnKind } from '@trellis/table-files/write/table-stream'
import { type RowByteStream, writeCsv } from '@trellis/table-files/write/write-csv'
import { writeParquet } from '@trellis/table-files/write/write-parquet'
import { writeJsonLines } from '@trellis/table-files/write/write-json-lines'
import { writeXlsx } from '@trellis/table-files/write/write-xlsx'
import type { RowBytes } from '@trellis/workspace-db/session/data-rows'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { toAsyncGenerator } from './hand-over.ts'
import { withJobSession } from './job-session.ts'
import { prepareStatement } from './grammar/prepare-statements.ts'
import { readSql } from './grammar/read-sql.ts'
import { getStatement } from './read-results.ts'
import { decodeBatches, streamStoredRows } from './result-store.ts'
import { listReferences } from './saved-results/result-references.ts'
import { getJobRow, isFinished } from './sql-jobs.ts'
import type { JobRow, StoredStatement } from './sql-jobs.repository.ts'

interface ResultExport {
  readonly file_type: WriteFormat
  readonly is_preview: boolean
  readonly statement: number
  readonly formula_safe: boolean
}

export async function exportResults(
  ctx: WorkspaceCtx,
  { job_id, integration_trellis_code }: { job_id: string; integration_trellis_code: string },
  { file_type, is_preview, statement: at, formula_safe }: ResultExport,
): Promise<FileBody> {
  const row = await getJobRow(ctx, job_id)
  if (row.integration_code !== integration_trellis_code) throw resultNotFoundError()
  const statement = getStatement(row, at)
  if (!isFinished(row)) throw new AppError('conflict', 'The query is still running. Export its result when it is done.')
  const { columns } = statement
  if (!columns) throw resultNotFoundError()
  const isReadAgain = statement.cut_at !== null && !is_preview
  if (isReadAgain) await assertReadsOnly(row, statement)
  const batches = isReadAgain
    ? readAgain(ctx, row, statement)
    : streamStoredRows(ctx.ports.objects, { jobId: row.id, statement: at, chunks: statement.chunks })
  const stream: RowByteStream = { columns: columns.map(toFileColumn), batches }
  return {
    name: `result-${at + 1}.${file_type}`,
    contentType: WRITE_FORMATS[file_type].contentType,
    size: null,
    tag: `${job_id}-${at}`,
    open: async () => writeFile(stream, { file_type, isFormulaSafe: formula_safe }),
  }
}

const resultNotFoundError = () => new AppError('not_found', 'There is no such result.')

const toFileColumn = ({ name, type }: ResultColumn) => ({ name, type: toColumnKind(type, type) })

function writeFile(
  { columns, batches }: RowByteStream,
  { file_type, isFormulaSafe }: { file_type: WriteFormat; isFormulaSafe: boolean },
): AsyncIterable<Uint8Array> {
  if (file_type === 'csv') return writeCsv({ columns, batches }, { isFormulaSafe })
  const stream = { columns, batches: decodeBatches(batches) }
  if (file_type === 'jsonl') return writeJsonLines(stream)
  return file_type === 'parquet' ? writeParquet(stream) : writeXlsx(stream)
}

/** A truncated result is queried again, so the statement must be read-only. */
async function assertReadsOnly(row: JobRow, { start, end }: StoredStatement): Promise<void> {
  if (listReferences(row.sql.slice(start, end)).length > 0) {
    const message =
      'This statement reads another result. Export the rows that were kept, or run it with a higher row limit.'
    throw new AppError('conflict', message)
  }
  const { text } = await prepareStatement(row.sql, { start, end }, row.request)
  const { statements } = await readSql.describeStatements(text)
  if (statements.length === 1 && statements[0]?.kind === 'read') return
  const message =
    'This statement changes data, so it is not run again. Export the rows that were kept, or run it with a higher row limit.'
  throw new AppError('conflict', message)
}

async function* readAgain(ctx: WorkspaceCtx, row: JobRow, { start, end }: StoredStatement): AsyncGenerator<RowBytes> {
  const { text, values } = await prepareStatement(row.sql, { start, end }, row.request)
  yield* toAsyncGenerator<RowBytes>((give) =>
    withJobSession(ctx, row, {
      signal: ctx.http.signal,
      limits: { maxRows: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER, isReadOnly: true },
      needsPrimary: true,
      onNotice: () => undefined,
      work: async (session) => {
        for await (const batch of session.streamBytes({ text, values })) await give(batch)
      },
    }),
  )
}
