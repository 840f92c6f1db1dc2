import type { Cluster } from '@trellis/workspace-db/cluster'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { type SessionTarget, withSession } from '@trellis/workspace-db/session'
import { MAX_STATEMENT_MS } from '@trellis/workspace-db/session/session-options'
import { quoteText } from '@trellis/workspace-db/identifiers'
import { type SkippedLine, firstLine, formatCsvCopy, isOverRejectLimit, parseSkippedLine } from './copy-csv.ts'
import { ownTable } from './own-tables.ts'

/** Rows as COPY reads them: whole records, without a gap between the first and the last row. */
interface LoadBlock {
  readonly parts: readonly Uint8Array[]
  readonly firstRow: number
  readonly rows: number
  readonly lines: number
}

export interface Fill {
  readonly stage: string
  /** Columns of the stage in the order of the records. */
  readonly columns: readonly string[]
  /** Columns in which an empty value in quotes is nothing as well. */
  readonly emptyIsNull: readonly string[]
  readonly format: { readonly delimiter: string; readonly quote: string; readonly eol: string }
  readonly dateOrder: 'ymd' | 'dmy' | 'mdy'
  readonly blocks: AsyncIterable<LoadBlock>
  /** Rows whose values do not fit their columns, before all is given up. */
  readonly rejectLimit: number
  readonly lanes: 1 | 2
  readonly onRows?: (rows: number) => void
}

/** A record that did not fit: the block it came in and the line there, counted from 1. */
export interface Rejected {
  readonly firstRow: number
  readonly rows: number
  readonly line: number
  readonly column: string
}

export interface Filled {
  readonly rows: number
  readonly rejected: readonly Rejected[]
  /** More did not fit than are wanted to be known. */
  readonly isOverLimit: boolean
}

/**
 * Streams rows into a stage over one or two connections at once; each takes the next block when it has room. A row is in
 * the stage or among the rejected, never both and never neither.
 */
export async function fillStage(cluster: Cluster, target: SessionTarget, fill: Fill): Promise<Filled> {
  const stopped = new AbortController()
  const signal = target.signal ? AbortSignal.any([target.signal, stopped.signal]) : stopped.signal
  const shared = fill.blocks[Symbol.asyncIterator]()
  const limits = { statementMs: MAX_STATEMENT_MS }
  const lanes = Array.from({ length: fill.lanes }, (): Lane => ({ fill, shared, sent: [], notices: [] }))
  const settled = await Promise.allSettled(
    lanes.map((lane) =>
      runLane(cluster, { ...target, signal, limits }, lane).catch((error: unknown) => {
        // One lane's fault ends the other; its own echo of that is not the fault to tell.
        if (!stopped.signal.aborted) stopped.abort(error)
        throw error
      }),
    ),
  )
  await shared.return?.()
  const cause: unknown = stopped.signal.reason
  const isOverLimit = cause instanceof WorkspaceDbError && isOverRejectLimit(cause.message)
  if (stopped.signal.aborted && !isOverLimit) throw cause
  const rejected = lanes.flatMap((lane) => lane.notices.map((notice) => findRejected(notice, lane.sent)))
  return {
    rows: settled.reduce((sum, lane) => sum + (lane.status === 'fulfilled' ? lane.value : 0), 0),
    rejected: rejected.toSorted((a, b) => a.firstRow - b.firstRow || a.line - b.line),
    isOverLimit,
  }
}

interface Lane {
  readonly fill: Fill
  readonly shared: AsyncIterator<LoadBlock>
  readonly sent: Sent[]
  readonly notices: SkippedLine[]
}

/** Blocks of a lane by the line of its COPY they begin behind. */
interface Sent {
  readonly before: number
  readonly block: Pick<LoadBlock, 'firstRow' | 'rows' | 'lines'>
}

async function runLane(cluster: Cluster, target: SessionTarget, lane: Lane): Promise<number> {
  const { fill, notices } = lane
  return await withSession(cluster, target, async (session) => {
    await session.query({ text: `set datestyle = ${quoteText(`ISO, ${fill.dateOrder}`)}` })
    return await session.copyIn({
      text: formatCsvCopy(ownTable(fill.stage), { ...fill, ...fill.format }, Math.max(1, Math.trunc(fill.rejectLimit))),
      chunks: takeChunks(lane),
      onNotice: (message) => {
        const skipped = parseSkippedLine(message)
        if (skipped) notices.push(skipped)
      },
    })
  })
}

async function* takeChunks({ fill, shared, sent }: Lane): AsyncGenerator<Uint8Array> {
  yield firstLine(fill.format.eol)
  let before = 1
  for (;;) {
    const { value: block, done } = await shared.next()
    if (done) return
    sent.push({ before, block: { firstRow: block.firstRow, rows: block.rows, lines: block.lines } })
    before += block.lines
    if (block.parts.length > 16) yield Buffer.concat(block.parts)
    else yield* block.parts
    fill.onRows?.(block.rows)
  }
}

function findRejected({ line, column }: SkippedLine, sent: readonly Sent[]): Rejected {
  let low = 0
  let high = sent.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((sent[middle]?.before ?? 0) < line) low = middle
    else high = middle - 1
  }
  const found = sent[low]
  if (!found) throw new Error('COPY told of a line that was never sent.')
  return { firstRow: found.block.firstRow, rows: found.block.rows, line: line - found.before, column }
}
