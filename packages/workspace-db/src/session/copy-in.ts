import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { from as copyFrom } from 'pg-copy-streams'
import { createEndError, toWorkspaceDbError } from '../errors.ts'
import { startStatementTimer } from './statement-timer.ts'
import type { SessionConnection } from './connection-types.ts'
import type { SessionLimits } from './session-options.ts'

export interface CopyIn {
  readonly text: string
  readonly chunks: AsyncIterable<Uint8Array>
  readonly onNotice?: (message: string) => void
}

export interface CopyInOptions {
  readonly copy: CopyIn
  readonly limits: SessionLimits
  readonly signal: AbortSignal | undefined
}

export async function runCopyIn(link: SessionConnection, options: CopyInOptions): Promise<number> {
  const { copy, limits, signal } = options
  if (signal?.aborted) throw createEndError('abort')
  if (link.isRunning) throw new Error('A session runs one statement at a time.')
  const timer = startStatementTimer(link, limits.statementMs)
  const onNotice = (notice: { message?: string | undefined }) => copy.onNotice?.(notice.message ?? '')
  const stream = copyFrom(copy.text)
  const onAbort = () => {
    timer.end('abort')
    // Postgres notices a cancel with the next bytes: ending the stream sends them.
    stream.destroy(createEndError('abort'))
  }
  signal?.addEventListener('abort', onAbort, { once: true })
  link.client.on('notice', onNotice)
  link.isRunning = true
  try {
    link.client.query(stream)
    await pipeline(Readable.from(copy.chunks, { objectMode: true, highWaterMark: 1 }), stream)
    link.isRunning = false
    return stream.rowCount
  } catch (error) {
    if (error instanceof Error && 'severity' in error) link.isRunning = false
    else if (isCallerError(error)) throw error
    throw toWorkspaceDbError(error, timer.reason())
  } finally {
    await timer.stop()
    link.client.off('notice', onNotice)
    signal?.removeEventListener('abort', onAbort)
  }
}

/** Errors of the chunk iterator belong to the caller. */
const isCallerError = (error: unknown) => error instanceof Error && !('code' in error)
