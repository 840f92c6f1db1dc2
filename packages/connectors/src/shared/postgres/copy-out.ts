import type { Duplex } from 'node:stream'
import { detachBuffer } from '@trellis/connector-kit/detach-buffer'
import type pg from 'pg'
import { MAX_RESPONSE_BYTES, destroyOnError, createTooLargeError } from '../hostile-server.ts'

interface Wire {
  readonly stream: Duplex
  parse(message: object): void
  bind(message: object): void
  execute(message: object): void
  sync(): void
}

export interface CopyPiece {
  readonly bytes: Buffer
  readonly rowCount: number
}

const COPY_DATA = 0x64
const COPY_DONE = 0x63
const COPY_OUT_RESPONSE = 0x48
const READY = 0x5a
const NEWLINE = 10
const HEADER_BYTES = 5
const PIECE_BYTES = 512 * 1024
const MAX_WAITING = 2
/** Limit for notices and errors, which the driver buffers. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024

/**
 * Sent as a prepared statement, so that a second statement in the text is refused. Leaving early breaks the connection.
 */
export async function* copyOut(
  client: pg.Client,
  text: string,
  { hasHeader = false }: { hasHeader?: boolean } = {},
): AsyncGenerator<CopyPiece, number, undefined> {
  const copying = startCopy(client, text, hasHeader ? 1 : 0)
  let isDone = false
  try {
    for (;;) {
      const piece = await copying.next()
      if (typeof piece === 'number') {
        isDone = true
        return piece
      }
      yield piece
    }
  } catch (error) {
    isDone = true
    throw error
  } finally {
    if (!isDone) copying.cut()
  }
}

function startCopy(client: pg.Client, text: string, headers: number) {
  const waiting: CopyPiece[] = []
  let wake: (() => void) | undefined
  let failure: Error | undefined
  let total: number | undefined
  let isReady = false
  let stream: Duplex | undefined

  const resumeReader = () => {
    wake?.()
    wake = undefined
  }
  const fail = (error: Error) => {
    failure ??= error
    resumeReader()
  }
  const onEnd = () => fail(Object.assign(new Error('The connection was closed.'), { code: 'ECONNRESET' }))
  client.once('end', onEnd)

  const query = {
    submit(connection: Wire) {
      stream = connection.stream
      interceptCopyData(connection, {
        onPiece(piece) {
          waiting.push(piece)
          if (waiting.length >= MAX_WAITING) connection.stream.pause()
          resumeReader()
        },
      })
      connection.stream.cork()
      connection.parse({ name: '', text, types: [] })
      connection.bind({ portal: '', statement: '', values: [] })
      connection.execute({ portal: '', rows: 0 })
      connection.sync()
      connection.stream.uncork()
      return null
    },
    handleError: fail,
    handleCommandComplete(message: { text: string }) {
      total = Number(/^COPY (\d+)$/.exec(message.text)?.[1] ?? Number.NaN)
    },
    handleReadyForQuery() {
      isReady = true
      client.off('end', onEnd)
      resumeReader()
    },
  }
  client.query(query as never)

  let rows = 0
  return {
    async next(): Promise<CopyPiece | number> {
      for (;;) {
        const piece = waiting.shift()
        if (piece) {
          rows += piece.rowCount
          if (waiting.length < MAX_WAITING) stream?.resume()
          return piece
        }
        if (failure) throw failure
        // A server or proxy that sends several lines per message would falsify every count.
        if (isReady && total !== rows - headers)
          throw new Error(`The server copied ${total} rows, ${rows} were counted.`)
        if (isReady) return rows - headers
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    cut() {
      client.off('end', onEnd)
      stream?.destroy()
    },
  }
}

const allocatePiece = (bytes = PIECE_BYTES + PIECE_BYTES / 4) => Buffer.from(new ArrayBuffer(bytes))

/** Takes CopyData messages and leaves all others to the driver. */
function interceptCopyData({ stream }: Wire, { onPiece }: { onPiece: (piece: CopyPiece) => void }): void {
  const [driver] = stream.listeners('data') as ((bytes: Buffer) => void)[]
  if (!driver) throw new Error('The driver does not listen to its connection.')
  stream.off('data', driver)
  let out = allocatePiece()
  let size = 0
  let rows = 0
  let left = 0
  let rest: Buffer | undefined

  const flush = () => {
    if (size === 0) return
    // Exactly sized, so that the consumer can release it.
    onPiece({ bytes: Buffer.from(out.buffer.transfer(size)), rowCount: rows })
    out = allocatePiece()
    size = 0
    rows = 0
  }
  const take = (chunk: Buffer, from: number, to: number) => {
    const wanted = size + to - from
    if (wanted > MAX_RESPONSE_BYTES) throw createTooLargeError()
    if (wanted > out.length) {
      const larger = allocatePiece(Math.max(wanted, out.length * 2))
      out.copy(larger, 0, 0, size)
      out = larger
    }
    chunk.copy(out, size, from, to)
    size = wanted
    left -= to - from
    if (left > 0 || out[size - 1] !== NEWLINE) return
    rows += 1
    if (size >= PIECE_BYTES) flush()
  }
  const restore = (behind: Buffer) => {
    stream.off('data', onData)
    stream.on('data', driver)
    driver(behind)
  }
  const onData = destroyOnError(stream, (data) => {
    const chunk = rest ? Buffer.concat([rest, data]) : data
    rest = undefined
    let at = 0
    let isOurs = true
    while (at < chunk.length) {
      if (left > 0) {
        const end = Math.min(at + left, chunk.length)
        take(chunk, at, end)
        at = end
        continue
      }
      const isWholeHeader = chunk.length - at >= HEADER_BYTES
      const code = chunk[at]
      const end = isWholeHeader ? at + 1 + chunk.readUInt32BE(at + 1) : Infinity
      if (code === COPY_DATA && isWholeHeader) {
        left = end - at - HEADER_BYTES
        at += HEADER_BYTES
        continue
      }
      if (isWholeHeader && end - at > MAX_MESSAGE_BYTES) throw createTooLargeError()
      if (end > chunk.length) {
        rest = Buffer.from(chunk.subarray(at))
        break
      }
      if (code === READY) {
        flush()
        return restore(chunk.subarray(at))
      }
      if (code !== COPY_OUT_RESPONSE && code !== COPY_DONE) {
        isOurs = false
        driver(chunk.subarray(at, end))
      }
      at = end
    }
    if (isOurs) detachBuffer(data)
  })
  stream.on('data', onData)
}
