import { toColumnKind } from '@trellis/table-files/write/table-stream'
import { writeParquet } from '@trellis/table-files/write/write-parquet'
import { writeXlsx } from '@trellis/table-files/write/write-xlsx'
import type { CatalogueTable } from '@trellis/workspace-db/catalogue/find-table'
import { copyRows, streamRows } from '@trellis/workspace-db/rows/copy-rows'
import type { Session } from '@trellis/workspace-db/session'
import type { StoredRequest } from './exports.repository.ts'

export const exportKey = (id: string) => `exports/${id}`

export interface ExportInput {
  readonly table: CatalogueTable
  readonly request: StoredRequest
  readonly onRows: (rows: number) => void
}

export function exportBytes(
  session: Session,
  { table, request, onRows }: ExportInput,
): AsyncGenerator<Uint8Array, number, undefined> {
  const { format } = request
  if (format === 'csv' || format === 'jsonl')
    return copyRows(session, table, { ...request, format, isFormulaSafe: request.isRaw !== true })
  const columns = table.columns.map(({ name, castType, type }) => ({ name, type: toColumnKind(castType, type) }))
  const stream = { columns, batches: countRows(streamRows(session, table, request), onRows) }
  return format === 'parquet' ? writeParquet(stream) : writeXlsx(stream)
}

async function* countRows<T extends readonly unknown[]>(batches: AsyncIterable<T>, onRows: (rows: number) => void) {
  let rows = 0
  for await (const batch of batches) {
    rows += batch.length
    onRows(rows)
    yield batch
  }
}
