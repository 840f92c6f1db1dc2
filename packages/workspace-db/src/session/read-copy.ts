import { to as copyTo } from 'pg-copy-streams'
import { toWorkspaceDbError } from '../errors.ts'
import { startOutsideTimer } from './outside-timer.ts'
import { type ReadStatementOptions, assertRunnable } from './read-statement.ts'
import type { SessionLink } from './link-types.ts'

const CHUNK_BYTES = 256 * 1024

/** With backpressure; limited by time, not by size. Returns the number of rows. */
export async function* readCopy(
  link: SessionLink,
  reading: ReadStatementOptions,
): AsyncGenerator<Uint8Array, number, undefined> {
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
    // A consumer that stops early would leave the server sending.
    if (link.isRunning) link.cut()
    await timer.stop()
    reading.signal?.removeEventListener('abort', onAbort)
  }
}
