import type { Batch, Field, Value } from '@trellis/connector-kit/batch'
import { rowCountOf } from '@trellis/connector-kit/batch'
import { encodeCopy } from '@trellis/connector-kit/copy-text'
import type { Chunk, LoadColumn } from '@trellis/workspace-db/loads/run/load'

/** One commit: large enough that committing costs nothing beside writing, small enough to be read again after a crash. */
export interface ChunkLimits {
  readonly bytes: number
  readonly rows: number
  /** A source that trickles is written once in a while all the same. */
  readonly ms: number
}
export const CHUNK_LIMITS: ChunkLimits = { bytes: 8 * 1024 * 1024, rows: 200_000, ms: 10_000 }

export interface ChunkPlan {
  readonly fields: readonly Field[]
  readonly columns: readonly LoadColumn[]
  readonly limits?: ChunkLimits
}

/**
 * Batches as chunks that can be written. A chunk ends where the source can go on behind it; the last one is known to be
 * the last, because with it everything counts as read.
 */
export async function* chunksOf(batches: AsyncIterable<Batch>, plan: ChunkPlan): AsyncGenerator<Chunk> {
  const { limits = CHUNK_LIMITS } = plan
  const linesOf = lineMaker(plan)
  let parts: Uint8Array[] = []
  let counts: number[] = []
  let [rows, bytes, began] = [0, 0, 0]
  let cursor: unknown
  const take = (isLast: boolean): Chunk => {
    const chunk = { parts, counts, rows, isLast, ...(cursor !== undefined && { cursor }) }
    parts = []
    counts = []
    rows = 0
    bytes = 0
    cursor = undefined
    return chunk
  }
  const isFull = () => bytes >= limits.bytes || rows >= limits.rows || (rows > 0 && Date.now() - began >= limits.ms)
  // Without a place to go on from it is written as well, but committed later: memory has its end.
  const isOverfull = () => bytes >= 2 * limits.bytes || rows >= 2 * limits.rows
  let fault: unknown
  for await (const batch of untilFault(batches, (error) => (fault = error))) {
    if ((isFull() && cursor !== undefined) || isOverfull()) yield take(false)
    if (rows === 0) began = Date.now()
    const count = rowCountOf(batch)
    cursor = batch.state
    if (count === 0) continue
    const part = linesOf(batch)
    parts.push(part)
    counts.push(count)
    rows += count
    bytes += part.byteLength
  }
  if (fault === undefined) return yield take(true)
  // What came before the fault is kept: the next attempt begins behind it.
  if (rows > 0 && cursor !== undefined) yield take(false)
  throw fault
}

async function* untilFault<T>(items: AsyncIterable<T>, tell: (error: unknown) => void): AsyncGenerator<T> {
  try {
    yield* items
  } catch (error) {
    tell(error ?? new Error('The source failed without saying why.'))
  }
}

function lineMaker({ fields, columns }: ChunkPlan): (batch: Batch) => Uint8Array {
  const places = columns.map(({ field }) => fields.findIndex(({ name }) => name === field))
  const isAsItCame = places.length === fields.length && places.every((place, at) => place === at)
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
    if (batch.kind === 'rows') {
      // Copying every row only to leave it as it is would cost a third of reading a file.
      if (isAsItCame && areBooleansRight) return encodeCopy(batch.rows)
      return encodeCopy(batch.rows.map((row) => places.map((_, at) => valueAt(row, at))))
    }
    return isAsItCame ? batch.bytes : pickCells(batch.bytes, places)
  }
}

/** Cells of COPY lines in another order or fewer of them, without reading what they say. */
function pickCells(bytes: Uint8Array, places: readonly number[]): Uint8Array {
  const lines = new TextDecoder().decode(bytes).split('\n')
  lines.pop()
  let text = ''
  for (const line of lines) {
    const cells = line.split('\t')
    text += `${places.map((place) => cells[place] ?? String.raw`\N`).join('\t')}\n`
  }
  return new TextEncoder().encode(text)
}

/** The next one is read while the present one is written; never more than that. */
export async function* oneAhead<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
  const ask = () => {
    const asked = items.next()
    // Heard of when its turn comes; unheard until then it would end the process.
    asked.catch(() => undefined)
    return asked
  }
  let next = ask()
  try {
    for (;;) {
      const { value, done } = await next
      if (done) return
      next = ask()
      yield value
    }
  } finally {
    items.return(undefined).catch(() => undefined)
  }
}
