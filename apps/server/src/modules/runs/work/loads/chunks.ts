import type { Batch, CsvBatch, Field, RejectedRecord, Value } from '@trellis/connector-kit/batch'
import { countRows } from '@trellis/connector-kit/batch'
import { encodeCopy } from '@trellis/connector-kit/copy-text'
import type { WrittenColumn } from '@trellis/loads/plan/tables'
import type { Chunk } from '@trellis/loads/run/load'
import { canPassTo, isSameFormat, createCsvRecords } from './csv-records.ts'

/** A balance: few commits, but little to repeat after a crash. */
export interface ChunkLimits {
  readonly bytes: number
  readonly rows: number
  /** Slow sources are committed after this time. */
  readonly ms: number
}
export const CHUNK_LIMITS: ChunkLimits = { bytes: 16 * 1024 * 1024, rows: 200_000, ms: 10_000 }

/** Faster sources are written while being read; a slow one would hold a transaction open. */
const FAST = { bytes: 1024 * 1024, ms: 1_000 }

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
  const source = oneAhead(batches)
  try {
    for (let isOver = false; !isOver;) {
      const chunk = startChunk(source, plan)
      const began = Date.now()
      const isSlow = () => Date.now() - began > FAST.ms
      while ((chunk.bytes() < FAST.bytes || isSlow()) && (await chunk.more()));
      // Rows before an error are kept: the next attempt resumes after them.
      const isLost = chunk.rows === 0 || chunk.cursor === undefined
      if (!source.hasFailed() || !isLost) yield chunk
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
  const toLines = lineMaker(plan)
  const passed: CsvBatch[] = []
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
  const isPassed = (batch: Batch): batch is CsvBatch => batch.kind === 'csv' && canPassTo(plan, batch.format)
  const isAlike = (batch: Batch) =>
    chunk.rows === 0 ||
    countRows(batch) === 0 ||
    isSameFormat(passed[0]?.format, isPassed(batch) ? batch.format : undefined)
  const step = async (): Promise<boolean> => {
    while (!chunk.isEnded) {
      // The last chunk must be known as such: it completes the read.
      const batch = await source.peek()
      chunk.isLast = !batch && !source.hasFailed()
      chunk.isEnded = !batch || (isFull() && chunk.cursor !== undefined) || isOverfull() || !isAlike(batch)
      if (!batch || chunk.isEnded) return false
      source.take()
      chunk.cursor = batch.state
      for (const rejectedRecord of batch.rejected ?? []) rejected.push(rejectedRecord)
      const count = countRows(batch)
      if (count === 0) continue
      if (isPassed(batch)) passed.push(batch)
      const part = isPassed(batch) ? batch.bytes : toLines(batch)
      if (chunk.rows === 0) chunk.began = Date.now()
      parts.push(part)
      counts.push(count)
      chunk.rows += count
      chunk.bytes += part.byteLength
      return true
    }
    return false
  }
  let turn: Promise<unknown> = Promise.resolve()
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
      return passed.length > 0 ? createCsvRecords(plan, passed, toLines) : undefined
    },
    get fault() {
      return source.hasFailed() && chunk.cursor === undefined ? source.fault() : undefined
    },
    more: (): Promise<boolean> => {
      const next = turn.then(step)
      turn = next
      return next
    },
  }
}

function lineMaker({ fields, columns }: ChunkPlan): (batch: Batch) => Uint8Array {
  const places = columns.map(({ field }) => fields.findIndex(({ name }) => name === field))
  const isAsItCame = places.length === fields.length && places.every((index, at) => index === at)
  const isBoolean = columns.map(({ postgres }) => postgres === 'boolean')
  const areBooleansRight = columns.every(({ field }, at) => {
    const type = fields.find(({ name }) => name === field)?.type
    return type !== 'boolean' || isBoolean[at]
  })
  const valueAt = (row: readonly Value[], at: number): Value => {
    const value = row[places[at] ?? -1] ?? null
    return typeof value === 'boolean' && !isBoolean[at] ? String(value) : value
  }
  return (batch) => {
    if (batch.kind === 'copy') return isAsItCame ? batch.bytes : pickCells(batch.bytes, places)
    const rows = batch.kind === 'csv' ? batch.rows() : batch.rows
    // Avoids copying unchanged rows, a third of the time for files.
    if (isAsItCame && areBooleansRight) return encodeCopy(rows)
    return encodeCopy(rows.map((row) => places.map((_, at) => valueAt(row, at))))
  }
}

/** Selects and reorders COPY cells without parsing values. */
function pickCells(bytes: Uint8Array, places: readonly number[]): Uint8Array {
  const lines = new TextDecoder().decode(bytes).split('\n')
  lines.pop()
  let text = ''
  for (const line of lines) {
    const cells = line.split('\t')
    text += `${places.map((index) => cells[index] ?? String.raw`\N`).join('\t')}\n`
  }
  return new TextEncoder().encode(text)
}

interface PrefetchedIterator<T> {
  peek(): Promise<T | undefined>
  take(): void
  hasFailed(): boolean
  fault(): unknown
  close(): void
}

/** Prefetches one item while the current one is written. */
function oneAhead<T>(items: AsyncIterable<T>): PrefetchedIterator<T> {
  const iterator = items[Symbol.asyncIterator]()
  let failed: { fault: unknown } | undefined
  const fetchNext = (): Promise<T | undefined> =>
    iterator.next().then(
      ({ value, done }) => (done ? undefined : (value as T)),
      (error: unknown) => {
        failed = { fault: error ?? new Error('The source failed without saying why.') }
        return undefined
      },
    )
  let next = fetchNext()
  return {
    peek: () => next,
    take: () => void (next = fetchNext()),
    hasFailed: () => failed !== undefined,
    fault: () => failed?.fault,
    close: () => void iterator.return?.().catch(() => undefined),
  }
}
