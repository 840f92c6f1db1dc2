import { to as copyTo } from 'pg-copy-streams'
import { toWorkspaceDbError } from '../errors.ts'
import { startOutsideTimer } from './outside-timer.ts'
import { type Reading, assertRunnable } from './read-statement.ts'
import type { SessionLink } from './link-types.ts'

const CHUNK_BYTES = 256 * 1024

/**
 * The bytes of a COPY … TO STDOUT as they come; no more are fetched than the reader takes. Rows and bytes have no limit
 * here, time has. Returns the number of rows.
 */
export async function* readCopy(link: SessionLink, reading: Reading): AsyncGenerator<Uint8Array, number, undefined> {
  assertRunnable(link, reading)
  const timer = startOutsideTimer(link, reading.limits.statementMs)
  const onAbort = () => timer.end('abort')
  reading.signal?.addEventListener('abort', onAbort, { once: true })
  link.isRunning = true
  try {
    const stream = link.client.query(copyTo(reading.statement.text, { highWaterMark: CHUNK_BYTES }))
    for await (const chunk of stream) yield chunk as Uint8Array
    link.isRunning = false
    return stream.rowCount
  } catch (error) {
    link.isRunning = false
    throw toWorkspaceDbError(error, timer.reason())
  } finally {
    // A reader that stops early leaves the server sending into a connection nobody reads.
    if (link.isRunning) link.cut()
    await timer.stop()
    reading.signal?.removeEventListener('abort', onAbort)
  }
}
