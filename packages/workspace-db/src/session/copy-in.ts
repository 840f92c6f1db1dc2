import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { from as copyFrom } from 'pg-copy-streams'
import { endedError, toWorkspaceDbError } from '../errors.ts'
import { startOutsideTimer } from './outside-timer.ts'
import type { SessionLink } from './link-types.ts'
import type { SessionLimits } from './session-options.ts'

export interface CopyIn {
  /** `copy … from stdin`, made by the platform: never a person's text. */
  readonly text: string
  readonly chunks: AsyncIterable<Uint8Array>
  readonly onNotice?: (message: string) => void
}

export interface Copying {
  readonly copy: CopyIn
  readonly limits: SessionLimits
  readonly signal: AbortSignal | undefined
}

/** Streams into a COPY and gives the rows it took. Bytes wait only as far as the socket does. */
export async function runCopyIn(link: SessionLink, copying: Copying): Promise<number> {
  const { copy, limits, signal } = copying
  if (signal?.aborted) throw endedError('abort')
  if (link.isRunning) throw new Error('A session runs one statement at a time.')
  const timer = startOutsideTimer(link, limits.statementMs)
  const onNotice = (notice: { message?: string | undefined }) => copy.onNotice?.(notice.message ?? '')
  const stream = copyFrom(copy.text)
  const onAbort = () => {
    timer.end('abort')
    // Postgres hears of a cancel only when the next bytes come: ending the stream makes them come.
    stream.destroy(endedError('abort'))
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
    else if (isOwn(error)) throw error
    throw toWorkspaceDbError(error, timer.reason())
  } finally {
    await timer.stop()
    link.client.off('notice', onNotice)
    signal?.removeEventListener('abort', onAbort)
  }
}

/** What went wrong while the bytes were made, which is the caller's to tell; not on the way to Postgres. */
const isOwn = (error: unknown) => error instanceof Error && !('code' in error)
