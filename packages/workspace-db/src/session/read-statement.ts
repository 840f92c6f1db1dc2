import { endedError, toWorkspaceDbError, WorkspaceDbError } from '../errors.ts'
import { startOutsideTimer } from './outside-timer.ts'
import { createPortal, type Batch, type SizedBatch, type Statement } from './portal.ts'
import type { SessionLink } from './session-link.ts'
import type { SessionLimits } from './session-options.ts'

/** What is known when a statement has ended. */
export interface Summary {
  /** `SELECT`, `INSERT`, `CREATE TABLE`, …; empty when the result was cut or the text held no statement. */
  readonly command: string
  /** Rows read or changed. */
  readonly rowCount: number
  /** The limit at which the result was cut, if it was. */
  readonly cutAt: 'rows' | 'bytes' | undefined
}

export interface Reading {
  readonly statement: Statement
  readonly limits: SessionLimits
  readonly signal: AbortSignal | undefined
}

const FIRST_ROWS = 10
const MOST_ROWS = 5_000
const BATCH_BYTES = 1024 * 1024
/** Larger ones can't become a string in this process, whatever the limits say. */
const LARGEST_ROW = 64 * 1024 * 1024
const ROW_SLACK = 256 * 1024

/** Rows so far against the limits. */
function createTally(limits: SessionLimits) {
  let rows = 0
  let bytes = 0
  let hasColumns = false
  let cutAt: Summary['cutAt']
  return {
    hasColumns: () => hasColumns,
    rows: () => rows,
    cutAt: () => cutAt,
    keep(batch: SizedBatch): Batch {
      let kept = 0
      hasColumns = batch.columns.length > 0
      for (const size of batch.sizes) {
        if (rows >= limits.maxRows) cutAt = 'rows'
        else if (bytes + size > limits.maxBytes) cutAt = 'bytes'
        if (cutAt) break
        kept += 1
        rows += 1
        bytes += size
      }
      return { columns: batch.columns, rows: batch.rows.slice(0, kept) }
    },
    /** One row more than allowed is asked for, to know whether there are more. */
    next(): number {
      const average = rows === 0 ? BATCH_BYTES / FIRST_ROWS : bytes / rows
      const fitting = Math.floor(Math.min(BATCH_BYTES, limits.maxBytes - bytes) / average) + 1
      return Math.max(1, Math.min(fitting, MOST_ROWS, limits.maxRows - rows + 1))
    },
  }
}

/** Hears when a single row grows past what is allowed, before all of it is in memory. */
function watchRowSize(link: SessionLink, limit: number, onTooLarge: () => void) {
  let pending = 0
  const onData = (chunk: Buffer) => {
    pending += chunk.length
    if (pending > limit) onTooLarge()
  }
  link.stream.on('data', onData)
  return {
    reset: () => {
      pending = 0
    },
    stop: () => link.stream.off('data', onData),
  }
}

/** The count in a tag is that of the last step only, so it serves just for statements that give no rows. */
function summaryOf(tag: string, tally: ReturnType<typeof createTally>): Summary {
  const words = tag.split(' ')
  const command = words.filter((word) => !/^\d+$/.test(word)).join(' ')
  const changed = tally.hasColumns() || tag === '' ? Number.NaN : Number(words.at(-1))
  return { command, rowCount: Number.isInteger(changed) ? changed : tally.rows(), cutAt: tally.cutAt() }
}

export function assertRunnable(link: SessionLink, { statement, signal }: Reading): void {
  if (signal?.aborted) throw endedError('abort')
  if (link.isRunning) throw new Error('A session runs one statement at a time.')
  if (statement.text.includes('\0')) {
    throw new WorkspaceDbError({ code: 'syntax', message: 'A statement must not contain a zero byte.' })
  }
}

/** Runs one statement and hands out its rows in steps, within all limits. */
export async function* readStatement(link: SessionLink, reading: Reading): AsyncGenerator<Batch, Summary, undefined> {
  assertRunnable(link, reading)
  const { statement, limits, signal } = reading
  const timer = startOutsideTimer(link, limits.statementMs)
  const onAbort = () => timer.end('abort')
  signal?.addEventListener('abort', onAbort, { once: true })
  const watch = watchRowSize(link, Math.min(limits.maxBytes, LARGEST_ROW) + ROW_SLACK, () => {
    timer.end('size')
    link.cut()
  })
  const tally = createTally(limits)
  const portal = createPortal(statement, watch.reset)
  link.isRunning = true
  try {
    const first = portal.read(Math.min(FIRST_ROWS, limits.maxRows + 1))
    link.client.query(portal)
    let batch = await first
    let isFirst = true
    while (batch) {
      const kept = tally.keep(batch)
      if (isFirst || kept.rows.length > 0) yield kept
      isFirst = false
      if (tally.cutAt()) break
      batch = await portal.read(tally.next())
    }
    await portal.close()
    link.isRunning = false
    return summaryOf(portal.tag(), tally)
  } catch (error) {
    link.isRunning = false
    throw toWorkspaceDbError(error, timer.reason())
  } finally {
    // A reader that stops early leaves a statement half read.
    if (link.isRunning) await portal.close().catch(() => link.cut())
    link.isRunning = false
    await timer.stop()
    watch.stop()
    signal?.removeEventListener('abort', onAbort)
  }
}
