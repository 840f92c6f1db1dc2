import { to as copyTo } from 'pg-copy-streams'
import { toWorkspaceDbError } from '../errors.ts'
import { startStatementTimer } from './statement-timer.ts'
import { type ReadStatementOptions, assertRunnable } from './read-statement.ts'
import type { SessionConnection } from './connection-types.ts'

const CHUNK_BYTES = 256 * 1024

/** With backpressure; limited by time, not by size. Returns the number of rows. */
export async function* readCopy(
  connection: SessionConnection,
  options: ReadStatementOptions,
): AsyncGenerator<Uint8Array, number, undefined> {
  assertRunnable(connection, options)
  const timer = startStatementTimer(connection, options.limits.statementMs)
  const onAbort = () => timer.end('abort')
  options.signal?.addEventListener('abort', onAbort, { once: true })
  connection.isRunning = true
  try {
    const stream = connection.client.query(copyTo(options.statement.text, { highWaterMark: CHUNK_BYTES }))
    for await (const chunk of stream) yield chunk as Uint8Array
    connection.isRunning = false
    return stream.rowCount
  } catch (error) {
    connection.isRunning = false
    throw toWorkspaceDbError(error, timer.reason())
  } finally {
    // A consumer that stops early would leave the server sending.
    if (connection.isRunning) connection.destroySocket()
    await timer.stop()
    options.signal?.removeEventListener('abort', onAbort)
  }
}
