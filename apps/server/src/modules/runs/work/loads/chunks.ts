import type { Batch, CsvBatch, Field, RejectedRecord, Value } from '@trellis/connector-kit/batch'
import { countRows } from '@trellis/connector-kit/batch'
import { encodeCopy } from '@trellis/connector-kit/copy-text'
import type { WrittenColumn } from '@trellis/loads/plan/tables'
import type { Chunk } from '@trellis/loads/run/load'
import { canPassThrough, isSameFormat, createCsvRecords } from './csv-records.ts'

/** A balance: few commits, but little to repeat after a crash. */
export interface ChunkLimits {
  readonly bytes: number
  readonly rows: number
  /** Slow sources are committed after this time. */
  readonly ms: number
}
export const CHUNK_LIMITS: ChunkLimits = { bytes: 16 * 1024 * 1024, rows: 200_000, ms: 10_000 }

/** Faster sources are written while being read; a slow one would hold a transaction open. */
const STREAMING_LIMITS = { bytes: 1024 * 1024, ms: 1_000 }

export interface ChunkPlan {
  readonly fields: readonly Field[]
  readonly columns: readonly WrittenColumn[]
  readonly limits?: ChunkLimits
}

/**
 * A chunk ends where the source has a checkpoint; the last chunk is marked, as it completes the read. Consume each
 * before requesting the next.
 */
export async function* toChunks(batches: AsyncIterable<Batch>, plan: ChunkPlan): AsyncGenerator<Chunk> {
  const source = prefetchOne(batches)
  try {
    for (let isOver = false; !isOver;) {
      const chunk = startChunk(source, plan)
      const startedAt = Date.now()
      const isSlow = () => Date.now() - startedAt > STREAMING_LIMITS.ms
      while ((chunk.bytes() < STREAMING_LIMITS.bytes || isSlow()) && (await chunk.more()));
      // Rows before an error are kept: the next attempt resumes after them.
      const isDiscarded = chunk.rows === 0 || chunk.cursor === undefined
      if (!source.hasFailed() || !isDiscarded) yield chunk
      if (await chunk.more()) throw new Error('A chunk was left before its end.')
      if (source.hasFailed()) throw source.fault()
      isOver = chunk.isLast
    }
  } finally {
    source.close()
  }
}

function startChunk(source: PrefetchedIterator<Batch>, plan: ChunkPlan) {
  const { limits = CHUNK_LIMITS } = plan
  const toLines = createLineEncoder(plan)
  const passedBatches: CsvBatch[] = []
  const parts: Uint8Array[] = []
  const counts: number[] = []
  const rejected: RejectedRecord[] = []
  const chunk = { rows: 0, bytes: 0, began: Date.now(), cursor: undefined as unknown, isEnded: false, isLast: false }
  const isFull = () =>
    chunk.bytes >= limits.bytes ||
    chunk.rows + rejected.length >= limits.rows ||
    (chunk.rows > 0 && Date.now() - chunk.began >= limits.ms)
  // Without a checkpoint it is written too but committed later, to bound memory.
  const isOverfull = () => chunk.bytes >= 2 * limits.bytes || chunk.rows >= 2 * limits.rows
  const isPassedThrough = (batch: Batch): batch is CsvBatch =>
    batch.kind === 'csv' && canPassThrough(plan, batch.format)
  const hasSameFormat = (batch: Batch) =>
    chunk.rows === 0 ||
    countRows(batch) === 0 ||
    isSameFormat(passedBatches[0]?.format, isPassedThrough(batch) ? batch.format : undefined)
  const readBatch = async (): Promise<boolean> => {
    while (!chunk.isEnded) {
      // The last chunk must be known as such: it completes the read.
      const batch = await source.peek()
      chunk.isLast = !batch && !source.hasFailed()
      chunk.isEnded = !batch || (isFull() && chunk.cursor !== undefined) || isOverfull() || !hasSameFormat(batch)
      if (!batch || chunk.isEnded) return false
      source.advance()
      chunk.cursor = batch.state
      for (const rejectedRecord of batch.rejected ?? []) rejected.push(rejectedRecord)
      const count = countRows(batch)
      if (count === 0) continue
      if (isPassedThrough(batch)) passedBatches.push(batch)
      const part = isPassedThrough(batch) ? batch.bytes : toLines(batch)
      if (chunk.rows === 0) chunk.began = Date.now()
      parts.push(part)
      counts.push(count)
      chunk.rows += count
      chunk.bytes += part.byteLength
      return true
    }
    return false
  }
  let lastRead: Promise<unknown> = Promise.resolve()
  return {
    parts,
    counts,
    rejected,
    bytes: () => chunk.bytes,
    get rows() {
      return chunk.rows
    },
    get cursor() {
      return chunk.cursor
    },
    get isLast() {
      return chunk.isLast
    },
    get csv() {
      return passedBatches.length > 0 ? createCsvRecords(plan, passedBatches, toLines) : undefined
    },
    get fault() {
      return source.hasFailed() && chunk.cursor === undefined ? source.fault() : undefined
    },
    more: (): Promise<boolean> => {
      const next = lastRead.then(readBatch)
      lastRead = next
      return next
    },
  }
}

function createLineEncoder({ fields, columns }: ChunkPlan): (batch: Batch) => Uint8Array {
  const fieldIndexes = columns.map(({ field }) => fields.findIndex(({ name }) => name === field))
  const isUnchanged = fieldIndexes.length === fields.length && fieldIndexes.every((index, at) => index === at)
  const isBoolean = columns.map(({ postgres }) => postgres === 'boolean')
  const areBooleansUnchanged = columns.every(({ field }, index) => {
    const type = fields.find(({ name }) => name === field)?.type
    return type !== 'boolean' || isBoolean[index]
  })
  const getValue = (row: readonly Value[], index: number): Value => {
    const value = row[fieldIndexes[index] ?? -1] ?? null
    return typeof value === 'boolean' && !isBoolean[index] ? String(value) : value
  }
  return (batch) => {
    if (batch.kind === 'copy') return isUnchanged ? batch.bytes : pickCells(batch.bytes, fieldIndexes)
    const rows = batch.kind === 'csv' ? batch.rows() : batch.rows
    // Avoids copying unchanged rows, a third of the time for files.
    if (isUnchanged && areBooleansUnchanged) return encodeCopy(rows)
    return encodeCopy(rows.map((row) => fieldIndexes.map((_, index) => getValue(row, index))))
  }
}

/** Selects and reorders COPY cells without parsing values. */
function pickCells(bytes: Uint8Array, fieldIndexes: readonly number[]): Uint8Array {
  const lines = new TextDecoder().decode(bytes).split('\n')
  lines.pop()
  let text = ''
  for (const line of lines) {
    const cells = line.split('\t')
    text += `${fieldIndexes.map((index) => cells[index] ?? String.raw`\N`).join('\t')}\n`
  }
  return new TextEncoder().encode(text)
}

interface PrefetchedIterator<T> {
  peek(): Promise<T | undefined>
  advance(): void
  hasFailed(): boolean
  fault(): unknown
  close(): void
}

/** Prefetches one item while the current one is written. */
function prefetchOne<T>(items: AsyncIterable<T>): PrefetchedIterator<T> {
  const iterator = items[Symbol.asyncIterator]()
  let failure: { fault: unknown } | undefined
  const fetchNext = (): Promise<T | undefined> =>
    iterator.next().then(
      ({ value, done }) => (done ? undefined : (value as T)),
      (error: unknown) => {
        failure = { fault: error ?? new Error('The source failed without saying why.') }
        return undefined
      },
    )
  let next = fetchNext()
  return {
    peek: () => next,
    advance: () => void (next = fetchNext()),
    hasFailed: () => failure !== undefined,
    fault: () => failure?.fault,
    close: () => void iterator.return?.().catch(() => undefined),
  }
}
