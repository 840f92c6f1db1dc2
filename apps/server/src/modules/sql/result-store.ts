import { createByteCollector } from '@trellis/workspace-db/session/byte-collector'
import type { RowBytes } from '@trellis/workspace-db/session/data-rows'
import { decodeRows, findRowEnd } from '@trellis/workspace-db/session/row-bytes'
import { AppError } from '../../platform/app-error.ts'
import type { ObjectStore } from '../../platform/object-store/object-store.ts'
import type { StoredChunk } from './sql-jobs.repository.ts'

export type ResultRow = readonly (string | null)[]

/** A balance: cheap pages, and fewer than a hundred objects for a million rows. */
const CHUNK_BYTES = 2 * 1024 * 1024

const chunkKey = (jobId: string, statement: number, chunk: number) =>
  `results/${jobId}/${statement}/${String(chunk).padStart(6, '0')}`

/** Rows not yet in a chunk, copied as text since their buffer is reused. */
export interface PendingRows {
  readonly firstRow: number
  readonly count: number
  decode(slice: RowSlice): ResultRow[]
}

export interface ResultWriter {
  add(batch: RowBytes): Promise<void>
  finish(): Promise<void>
  readonly chunks: readonly StoredChunk[]
  readonly pending: PendingRows
}

/** Chunks in Postgres' own format keep memory flat for any result. */
export function createResultWriter(objects: ObjectStore, place: { jobId: string; statement: number }): ResultWriter {
  const chunks: StoredChunk[] = []
  const collected = createByteCollector()
  let rows = 0
  let firstRow = 0
  let storing: (RowBytes & { readonly done: Promise<void> }) | undefined

  async function store(chunk: RowBytes): Promise<void> {
    await objects.put(chunkKey(place.jobId, place.statement, chunks.length), chunk.bytes, { isShortLived: true })
    chunks.push({ firstRow, rows: chunk.rows })
    firstRow += chunk.rows
    storing = undefined
    collected.giveBack(chunk.bytes)
  }

  async function flush(): Promise<void> {
    await storing?.done
    if (rows === 0) return
    const chunk = { bytes: collected.take(), rows }
    rows = 0
    const done = store(chunk)
    // Handled by the next waiter; until then an unhandled rejection would crash the process.
    done.catch(() => undefined)
    storing = { ...chunk, done }
  }

  return {
    async add(batch) {
      if (batch.rows === 0) return
      collected.add(batch.bytes)
      rows += batch.rows
      if (collected.length >= CHUNK_BYTES) await flush()
    },
    async finish() {
      await flush()
      await storing?.done
    },
    chunks,
    pending: {
      get firstRow() {
        return firstRow
      },
      get count() {
        return (storing?.rows ?? 0) + rows
      },
      decode: (slice) => {
        const batches = [...(storing ? [storing] : []), { bytes: collected.peek(), rows }]
        return decodeSlice(batches, { ...slice, firstRow: slice.firstRow - firstRow })
      },
    },
  }
}

export interface StoredResult {
  readonly jobId: string
  readonly statement: number
  readonly chunks: readonly StoredChunk[]
}

export interface RowSlice {
  readonly firstRow: number
  readonly limit: number
}

export async function readStoredRows(
  objects: ObjectStore,
  result: StoredResult,
  { firstRow, limit }: RowSlice,
): Promise<ResultRow[]> {
  const end = firstRow + limit
  const resultRows: ResultRow[] = []
  for (const [at, chunk] of result.chunks.entries()) {
    if (chunk.firstRow >= end || chunk.firstRow + chunk.rows <= firstRow) continue
    resultRows.push(
      ...decodeSlice([await readChunk(objects, result, at)], {
        firstRow: firstRow - chunk.firstRow,
        limit: end - firstRow - resultRows.length,
      }),
    )
  }
  return resultRows
}

function decodeSlice(batches: readonly RowBytes[], { firstRow, limit }: RowSlice): ResultRow[] {
  const resultRows: ResultRow[] = []
  let skip = Math.max(0, firstRow)
  for (const batch of batches) {
    const count = Math.min(batch.rows - skip, limit - resultRows.length)
    if (count > 0) for (const row of decodeRows(batch, { skip, count })) resultRows.push(row)
    skip = Math.max(0, skip - batch.rows)
  }
  return resultRows
}

export async function* streamStoredRows(objects: ObjectStore, result: StoredResult): AsyncGenerator<RowBytes> {
  const count = result.chunks.length
  const read = (at: number) => readChunk(objects, result, at)
  let next = count === 0 ? undefined : read(0)
  for (let at = 0; at < count; at += 1) {
    const chunk = await next
    next = at + 1 < count ? read(at + 1) : undefined
    // A consumer that stops early leaves the prefetched chunk unread.
    next?.catch(() => undefined)
    if (chunk) yield chunk
  }
}

/** Decoded text takes ten times the bytes, so rows are decoded in small batches. */
const DECODED_ROWS = 1_000

export async function* decodeBatches(batches: AsyncIterable<RowBytes>): AsyncGenerator<ResultRow[]> {
  for await (const { bytes, rows } of batches) {
    let start = 0
    for (let done = 0; done < rows; done += DECODED_ROWS) {
      const count = Math.min(DECODED_ROWS, rows - done)
      const end = findRowEnd(bytes, count, start)
      yield decodeRows({ bytes: bytes.subarray(start, end), rows: count })
      start = end
    }
  }
}

async function readChunk(
  objects: ObjectStore,
  { jobId, statement, chunks }: StoredResult,
  at: number,
): Promise<RowBytes> {
  const { stream } = await objects.get(chunkKey(jobId, statement, at))
  const parts: Uint8Array[] = []
  for await (const part of stream) parts.push(part as Uint8Array)
  const [only] = parts
  const bytes = parts.length === 1 && Buffer.isBuffer(only) ? only : Buffer.concat(parts)
  const rows = chunks[at]?.rows ?? 0
  // Written without fsync: a power cut may have truncated it.
  if (!isComplete(bytes, rows)) throw new AppError('not_found', 'The result has expired. Run the query again.')
  return { bytes, rows }
}

function isComplete(bytes: Buffer, rows: number): boolean {
  try {
    return findRowEnd(bytes, rows) === bytes.length
  } catch {
    return false
  }
}

export async function deleteStoredResults(objects: ObjectStore, jobId: string): Promise<void> {
  for (;;) {
    const { objects: objectInfos } = await objects.list(`results/${jobId}/`)
    if (objectInfos.length === 0) return
    for (const { key } of objectInfos) await objects.delete(key)
  }
}
