import { createEndError, toWorkspaceDbError, WorkspaceDbError } from '../errors.ts'
import { tapDataRows } from './data-rows.ts'
import { startStatementTimer } from './statement-timer.ts'
import { createPortal, type Batch, type RawBatch, type Statement } from './portal.ts'
import { decodeRows, findRowEnd, readRowSize } from './row-bytes.ts'
import type { SessionConnection } from './connection-types.ts'
import type { SessionLimits } from './session-options.ts'

export interface Summary {
  /** Empty if the result was truncated or the text had no statement. */
  readonly command: string
  readonly rowCount: number
  readonly cutAt: 'rows' | 'bytes' | undefined
}

export interface ReadStatementOptions {
  readonly statement: Statement
  readonly limits: SessionLimits
  readonly signal: AbortSignal | undefined
}

const FIRST_ROWS = 10
const MAX_ROWS = 20_000
/** Prefetch, since Postgres waits after each step. */
const STEPS_AHEAD = 2
const BATCH_BYTES = 1024 * 1024
/** V8's string limit. */
const MAX_ROW_BYTES = 64 * 1024 * 1024
const ROW_SLACK = 256 * 1024

function createResultLimiter(limits: SessionLimits) {
  let rows = 0
  let bytes = 0
  let hasColumns = false
  let cutAt: Summary['cutAt']
  return {
    hasColumns: () => hasColumns,
    rows: () => rows,
    cutAt: () => cutAt,
    trimToLimits(batch: RawBatch): RawBatch {
      hasColumns = batch.columns.length > 0
      const size = batch.bytes.length - batch.rows
      if (rows + batch.rows <= limits.maxRows && bytes + size <= limits.maxBytes) {
        rows += batch.rows
        bytes += size
        return batch
      }
      let end = 0
      let keptRows = 0
      for (; keptRows < batch.rows; keptRows += 1) {
        const rowSize = readRowSize(batch.bytes, end)
        if (rows >= limits.maxRows) cutAt = 'rows'
        else if (bytes + rowSize > limits.maxBytes) cutAt = 'bytes'
        if (cutAt) break
        rows += 1
        bytes += rowSize
        end = findRowEnd(batch.bytes, 1, end)
      }
      return { columns: batch.columns, rows: keptRows, bytes: batch.bytes.subarray(0, end) }
    },
    countRowsToRequest(requested: number): number {
      const average = rows === 0 ? BATCH_BYTES / FIRST_ROWS : bytes / rows
      const fitting = Math.floor(Math.min(BATCH_BYTES, limits.maxBytes - bytes - requested * average) / average) + 1
      const count = Math.min(fitting, MAX_ROWS, limits.maxRows - rows - requested + 1)
      return requested === 0 ? Math.max(1, count) : Math.max(0, count)
    },
  }
}

/** The tag counts the last step only, so it is used for statements without rows. */
function toSummary(tag: string, limiter: ReturnType<typeof createResultLimiter>): Summary {
  const words = tag.split(' ')
  const command = words.filter((word) => !/^\d+$/.test(word)).join(' ')
  const countInTag = limiter.hasColumns() || tag === '' ? Number.NaN : Number(words.at(-1))
  return { command, rowCount: Number.isInteger(countInTag) ? countInTag : limiter.rows(), cutAt: limiter.cutAt() }
}

export function assertRunnable(connection: SessionConnection, { statement, signal }: ReadStatementOptions): void {
  if (signal?.aborted) throw createEndError('abort')
  if (connection.isRunning) throw new Error('A session runs one statement at a time.')
  if (statement.text.includes('\0')) {
    throw new WorkspaceDbError({ code: 'syntax', message: 'A statement must not contain a zero byte.' })
  }
}

export async function* streamStatementRows(
  connection: SessionConnection,
  options: ReadStatementOptions,
): AsyncGenerator<Batch, Summary, undefined> {
  const batches = readRowBytes(connection, options)
  try {
    for (;;) {
      const step = await batches.next()
      if (step.done) return step.value
      yield { columns: step.value.columns, rows: decodeRows(step.value) }
    }
  } finally {
    await batches.return(undefined as never)
  }
}

/** Without strings. The bytes are valid until the next batch is requested. `isReadAhead` prefetches. */
export async function* readRowBytes(
  connection: SessionConnection,
  { isReadAhead = false, ...options }: ReadStatementOptions & { readonly isReadAhead?: boolean },
): AsyncGenerator<RawBatch, Summary, undefined> {
  assertRunnable(connection, options)
  const { statement, limits, signal } = options
  const timer = startStatementTimer(connection, limits.statementMs)
  const onAbort = () => timer.end('abort')
  signal?.addEventListener('abort', onAbort, { once: true })
  const stopReading = (reason: 'size' | 'message') => {
    timer.end(reason)
    connection.destroySocket()
  }
  const tap = tapDataRows(connection.stream, {
    maxRowBytes: Math.min(limits.maxBytes, MAX_ROW_BYTES) + ROW_SLACK,
    onFull: () => portal.deliverPartialBatch(),
    onTooLarge: () => stopReading('size'),
    onBadLength: () => connection.destroySocket(),
    onLongError: () => stopReading('message'),
  })
  const limiter = createResultLimiter(limits)
  const portal = createPortal(statement, tap.take)
  const steps: { readonly count: number; readonly rows: Promise<RawBatch | undefined> }[] = []
  const requestRows = (count: number) => {
    const rows = portal.read(count)
    // Handled by the next waiter; until then an unhandled rejection would crash the process.
    rows.catch(() => undefined)
    steps.push({ count, rows })
  }
  const requestAhead = (depth: number) => {
    while (steps.length < depth) {
      const count = limiter.countRowsToRequest(steps.reduce((sum, step) => sum + step.count, 0))
      if (count === 0) return
      requestRows(count)
    }
  }
  const takeBatch = async () => {
    const step = steps.shift()
    const batch = await step?.rows
    if (step && batch?.rest) steps.unshift({ count: step.count - batch.rows, rows: batch.rest })
    return batch
  }
  connection.isRunning = true
  try {
    requestRows(Math.min(FIRST_ROWS, limits.maxRows + 1))
    connection.client.query(portal)
    let isFirst = true
    for (;;) {
      requestAhead(1)
      const batch = await takeBatch()
      if (!batch) break
      const keptBatch = limiter.trimToLimits(batch)
      const isCut = limiter.cutAt() !== undefined
      if (isReadAhead && !isCut) requestAhead(STEPS_AHEAD)
      if (isFirst || keptBatch.rows > 0) yield keptBatch
      tap.giveBack(batch)
      isFirst = false
      if (isCut) break
      if (batch.rest) tap.resume()
    }
    tap.discard()
    await portal.close()
    connection.isRunning = false
    return toSummary(portal.tag(), limiter)
  } catch (error) {
    connection.isRunning = false
    throw toWorkspaceDbError(error, timer.reason())
  } finally {
    // A consumer that stops early leaves a statement half read.
    tap.discard()
    if (connection.isRunning && steps.length > 0) {
      timer.end('abort')
      await Promise.allSettled(steps.map(({ rows }) => rows))
    }
    if (connection.isRunning) await portal.close().catch(() => connection.destroySocket())
    connection.isRunning = false
    await timer.stop()
    tap.stop()
    signal?.removeEventListener('abort', onAbort)
  }
}
