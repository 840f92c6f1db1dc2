import type { ResultColumn } from '@trellis/contract/sql/sql.schemas'
import type { Session } from '@trellis/workspace-db/session'
import { createResultTable, dropResultTable } from '@trellis/workspace-db/rows/result-tables'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { openDatabase } from '../../../platform/workspace-database/open-database.ts'
import { decodeBatches, streamStoredRows } from '../result-store.ts'
import { type JobRow, type StoredChunk, findJob } from '../sql-jobs.repository.ts'
import { type ResultReference, listReferences, generateTableName, replaceReferences } from './result-references.ts'

const MAX_RESULTS = 10

/** Each referenced result becomes a table while the query runs. */
export async function withResults<T>(
  ctx: WorkspaceCtx,
  { row, session }: { row: JobRow; session: Session },
  work: (sql: string) => Promise<T>,
): Promise<T> {
  const references = listReferences(row.sql)
  if (references.length === 0) return await work(row.sql)
  if (session.databaseKind === 'outside') {
    throw new AppError(
      'invalid_request',
      'Results can be used on the database of the workspace, not on a connected one.',
    )
  }
  const { cluster, key } = await openDatabase(ctx, row.integration_code)
  const names = new Map<string, string>()
  const toText = ({ start, end }: ResultReference) => row.sql.slice(start, end).toLowerCase()
  try {
    for (const reference of references) {
      if (names.has(toText(reference))) continue
      if (names.size === MAX_RESULTS) throw new AppError('limit_reached', `A run uses at most ${MAX_RESULTS} results.`)
      const name = generateTableName(reference)
      names.set(toText(reference), name)
      const { columns, chunks } = await getResult(ctx, reference)
      const { jobId, statement } = reference
      const rows = decodeBatches(streamStoredRows(ctx.ports.objects, { jobId, statement, chunks }))
      await createResultTable(cluster, { key, name, columns, rows, pid: session.processId })
    }
    return await work(replaceReferences(row.sql, references, (reference) => names.get(toText(reference)) ?? ''))
  } finally {
    // Remaining tables are dropped before the next one is created.
    for (const name of names.values()) await dropResultTable(cluster, { key, name }).catch(() => undefined)
  }
}

async function getResult(
  ctx: WorkspaceCtx,
  { jobId, statement }: ResultReference,
): Promise<{ columns: ResultColumn[]; chunks: readonly StoredChunk[] }> {
  const job = await findJob(ctx, jobId)
  const foundStatement = job?.statements[statement]
  const place = `@result.${jobId}${statement === 0 ? '' : `_${statement + 1}`}`
  if (!job || !foundStatement) throw new AppError('not_found', `There is no result ${place}, or it is not yours.`)
  if (job.results_deleted_at || job.expires_at <= ctx.clock.now()) {
    throw new AppError('not_found', `The result ${place} has expired: results are kept for a day. Run its query again.`)
  }
  if (foundStatement.status !== 'completed') throw new AppError('conflict', `The query of ${place} has not completed.`)
  if (!foundStatement.columns || foundStatement.columns.length === 0)
    throw new AppError('conflict', `${place} is a statement without rows.`)
  return { columns: foundStatement.columns, chunks: foundStatement.chunks }
}
