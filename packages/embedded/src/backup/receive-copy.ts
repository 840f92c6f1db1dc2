import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import type pg from 'pg'

interface Wire {
  readonly stream: Socket
  query(text: string): void
}

type Field = string | null

/** `onChunk` may return a stream to wait for (backpressure). */
export async function receiveCopy(
  client: pg.Client,
  statement: string,
  onChunk: (chunk: Buffer) => Writable | undefined,
): Promise<Field[][]> {
  const rows: Field[][] = []
  const done = Promise.withResolvers<Field[][]>()
  let wire: Wire | undefined
  let failure: Error | undefined
  const abort = (error: Error) => {
    failure ??= error
    wire?.stream.destroy()
  }
  const waitFor = (full: Writable) => {
    const onClose = () => abort(full.errored ?? new Error('The copy was given up.'))
    if (full.destroyed) return onClose()
    if (wire?.stream.isPaused()) return
    wire?.stream.pause()
    full.once('close', onClose)
    full.once('drain', () => {
      full.off('close', onClose)
      wire?.stream.resume()
    })
  }
  const query = {
    submit(connection: Wire) {
      wire = connection
      connection.query(statement)
      return null
    },
    handleRowDescription: () => undefined,
    handleDataRow: ({ fields }: { fields: Field[] }) => void rows.push(fields),
    handleCopyData({ chunk }: { chunk: Buffer }) {
      try {
        const full = failure ? undefined : onChunk(chunk)
        if (full) waitFor(full)
      } catch (error) {
        abort(error as Error)
      }
    },
    handleCommandComplete: () => undefined,
    handleError: (error: Error) => done.reject(failure ?? error),
    handleReadyForQuery: () => done.resolve(rows),
  }
  const onEnd = () => done.reject(failure ?? new Error('The connection to Postgres ended in the middle.'))
  client.once('end', onEnd)
  try {
    client.query(query as never)
    return await done.promise
  } finally {
    client.off('end', onEnd)
  }
}
