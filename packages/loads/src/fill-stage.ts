import type { Cluster } from '@trellis/workspace-db/cluster'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { type SessionTarget, withSession } from '@trellis/workspace-db/session'
import { MAX_STATEMENT_MS } from '@trellis/workspace-db/session/session-options'
import { quoteText } from '@trellis/workspace-db/identifiers'
import { type SkippedLine, copyAndRecordSkipped, getFirstLine, buildCsvCopy, isOverRejectLimit } from './copy-csv.ts'
import { qualifyPlatformTable } from './own-tables.ts'

interface LoadBlock {
  readonly parts: readonly Uint8Array[]
  readonly firstRow: number
  readonly rows: number
  readonly lines: number
}

export interface FillRequest {
  readonly stage: string
  readonly columns: readonly string[]
  /** Columns where a quoted empty value is NULL too. */
  readonly emptyIsNull: readonly string[]
  readonly format: { readonly delimiter: string; readonly quote: string; readonly eol: string }
  readonly dateOrder: 'ymd' | 'dmy' | 'mdy'
  readonly blocks: AsyncIterable<LoadBlock>
  readonly rejectLimit: number
  readonly lanes: 1 | 2
  readonly onRows?: (rows: number) => void
}

/** The block of a rejected record, and its 1-based line there. */
export interface RejectedRange {
  readonly firstRow: number
  readonly rows: number
  readonly line: number
  readonly column: string
}

export interface FillResult {
  readonly rows: number
  readonly rejected: readonly RejectedRange[]
  readonly isOverLimit: boolean
}

/** Streams rows over one or two connections. Every row is either staged or rejected. */
export async function fillStage(cluster: Cluster, target: SessionTarget, fill: FillRequest): Promise<FillResult> {
  const stopping = new AbortController()
  const signal = target.signal ? AbortSignal.any([target.signal, stopping.signal]) : stopping.signal
  const sharedBlocks = fill.blocks[Symbol.asyncIterator]()
  const limits = { statementMs: MAX_STATEMENT_MS }
  const lanes = Array.from({ length: fill.lanes }, (): Lane => ({
    fill,
    sharedBlocks,
    sentBlocks: [],
    skippedLines: [],
  }))
  const laneResults = await Promise.allSettled(
    lanes.map((lane) =>
      copyLane(cluster, { ...target, signal, limits }, lane).catch((error: unknown) => {
        // Report the error that stopped the other lane, not its consequence.
        if (!stopping.signal.aborted) stopping.abort(error)
        throw error
      }),
    ),
  )
  await sharedBlocks.return?.()
  const cause: unknown = stopping.signal.reason
  const isOverLimit = cause instanceof WorkspaceDbError && isOverRejectLimit(cause.message)
  if (stopping.signal.aborted && !isOverLimit) throw cause
  const rejected = lanes.flatMap((lane) => lane.skippedLines.map((line) => findRejectedRange(line, lane.sentBlocks)))
  return {
    rows: laneResults.reduce((sum, lane) => sum + (lane.status === 'fulfilled' ? lane.value : 0), 0),
    rejected: rejected.toSorted((a, b) => a.firstRow - b.firstRow || a.line - b.line),
    isOverLimit,
  }
}

interface Lane {
  readonly fill: FillRequest
  readonly sharedBlocks: AsyncIterator<LoadBlock>
  readonly sentBlocks: SentBlock[]
  readonly skippedLines: SkippedLine[]
}

interface SentBlock {
  readonly linesBefore: number
  readonly block: Pick<LoadBlock, 'firstRow' | 'rows' | 'lines'>
}

async function copyLane(cluster: Cluster, target: SessionTarget, lane: Lane): Promise<number> {
  const { fill, skippedLines } = lane
  return await withSession(cluster, target, async (session) => {
    await session.query({ text: `set datestyle = ${quoteText(`ISO, ${fill.dateOrder}`)}` })
    const format = { ...fill, ...fill.format }
    const text = buildCsvCopy(qualifyPlatformTable(fill.stage), format, Math.max(1, Math.trunc(fill.rejectLimit)))
    return await copyAndRecordSkipped(session, { text, chunks: streamLane(lane), skipped: skippedLines })
  })
}

async function* streamLane({ fill, sharedBlocks, sentBlocks }: Lane): AsyncGenerator<Uint8Array> {
  yield getFirstLine(fill.format.eol)
  let linesBefore = 1
  for (;;) {
    const { value: block, done } = await sharedBlocks.next()
    if (done) return
    sentBlocks.push({ linesBefore, block: { firstRow: block.firstRow, rows: block.rows, lines: block.lines } })
    linesBefore += block.lines
    if (block.parts.length > 16) yield Buffer.concat(block.parts)
    else yield* block.parts
    fill.onRows?.(block.rows)
  }
}

function findRejectedRange({ line, column }: SkippedLine, sentBlocks: readonly SentBlock[]): RejectedRange {
  let low = 0
  let high = sentBlocks.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((sentBlocks[middle]?.linesBefore ?? 0) < line) low = middle
    else high = middle - 1
  }
  const sentBlock = sentBlocks[low]
  if (!sentBlock) throw new Error('COPY told of a line that was never sent.')
  return { firstRow: sentBlock.block.firstRow, rows: sentBlock.block.rows, line: line - sentBlock.linesBefore, column }
}
