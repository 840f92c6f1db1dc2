import type { Duplex } from 'node:stream'
import type { ChangePiece, RowChange } from '@trellis/connector-kit/change-log'
import { quoteName, quoteText } from '../column-kinds.ts'
import type { ReplicationLink } from '../link.ts'
import { toStatementError } from '../problems.ts'
import { formatLsn, parseLsn, toLogTime } from './lsn.ts'
import { type Relation, createDecoder } from './pgoutput.ts'

/** Backpressure: reading pauses at twice this many pending changes. */
const PIECE_CHANGES = 20_000
const PIECE_BYTES = 16 * 1024 * 1024
/** The server disconnects clients silent for wal_sender_timeout, 60 s by default. */
const STATUS_MS = 5_000
const ASK_MS = 100
const [XLOG_DATA, KEEPALIVE] = [0x77, 0x6b]
const DATA_HEADER = 25

interface Wire {
  readonly stream: Duplex
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

interface StreamOptions {
  readonly slot: string
  readonly from: string
  readonly fields: readonly string[]
  readonly key: readonly number[]
  readonly isNewShape: (relation: Relation) => boolean
}

export interface OpenStream {
  take(waitMs: number): Promise<ChangePiece | undefined>
  confirm(position: string): void
  close(): Promise<void>
}

/** Streams from a slot with bounded memory: the socket pauses while changes are pending. */
export function streamChanges(link: ReplicationLink, options: StreamOptions): OpenStream {
  const { client } = link
  const from = parseLsn(options.from)
  let done: RowChange[] = []
  let open: RowChange[] = []
  let bytes = 0
  let position = from
  let confirmed = from
  let taken = from
  let isInTransaction = false
  let isSkipped = false
  let isEnded = false
  let failure: unknown
  let wire: Wire | undefined
  let wake: (() => void) | undefined

  const resumeReader = () => {
    wake?.()
    wake = undefined
  }
  const fail = (error: unknown) => {
    failure ??= error
    resumeReader()
  }
  const isFull = (times: number) => done.length + open.length >= times * PIECE_CHANGES || bytes >= times * PIECE_BYTES
  const decode = createDecoder({
    fields: options.fields,
    key: options.key,
    onRelation: (relation) => {
      if (options.isNewShape(relation)) isEnded = true
    },
    onBegin: (commit) => {
      isInTransaction = true
      isSkipped = commit < from
    },
    onChange: (change) => {
      if (!isSkipped && !isEnded) open.push(change)
    },
    onCommit: (end) => {
      isInTransaction = false
      if (isSkipped || isEnded) return
      done = done.length === 0 ? open : done.concat(open)
      open = []
      position = end
    },
  })

  const sendStatus = (isReplyWanted: boolean) => {
    const status = Buffer.alloc(34)
    status[0] = 0x72
    for (const at of [1, 9, 17]) status.writeBigUInt64BE(confirmed, at)
    status.writeBigInt64BE(toLogTime(Date.now()), 25)
    status[33] = isReplyWanted ? 1 : 0
    wire?.sendCopyFromChunk(status)
  }
  const onMessage = (chunk: Buffer) => {
    if (chunk[0] === XLOG_DATA) {
      bytes += chunk.length
      // The driver reuses the buffer, so decode now.
      decode(chunk.subarray(DATA_HEADER))
      if (isFull(2)) wire?.stream.pause()
      if (!isInTransaction || isFull(1)) resumeReader()
    }
    if (chunk[0] === KEEPALIVE) {
      const reached = chunk.readBigUInt64BE(1)
      // Transactions arrive in commit order: nothing before this position is outstanding.
      if (!isInTransaction && !isEnded && reached > position) position = reached
      if (chunk[17] === 1) sendStatus(false)
      resumeReader()
    }
  }

  const query = {
    submit(connection: Wire) {
      wire = connection
      const names = quoteText(quoteName(options.slot))
      connection.query(
        `START_REPLICATION SLOT ${quoteName(options.slot)} LOGICAL ${options.from} (proto_version '1', publication_names ${names})`,
      )
      return null
    },
    handleCopyData({ chunk }: { chunk: Buffer }) {
      try {
        onMessage(chunk)
      } catch (error) {
        fail(error)
        wire?.stream.destroy()
      }
    },
    handleError: (error: unknown) => fail(toStatementError(error)),
    handleCommandComplete: () => undefined,
    handleReadyForQuery: () => fail(toStatementError(ENDED)),
  }
  const onEnd = () => fail(toStatementError(ENDED))
  client.once('end', onEnd)
  client.query(query as never)
  const timer = setInterval(() => sendStatus(false), STATUS_MS)

  const hasPiece = () => done.length > 0 || position > taken || isFull(1)
  const takePendingPiece = (): ChangePiece | undefined => {
    if (!hasPiece()) return undefined
    const isPart = done.length === 0 && position === taken
    const changes = isPart ? open : done
    if (isPart) open = []
    else done = []
    taken = position
    bytes = 0
    if (!isFull(2)) wire?.stream.resume()
    return isPart ? { changes } : { changes, position: formatLsn(position) }
  }

  return {
    async take(waitMs) {
      const until = Date.now() + waitMs
      for (;;) {
        const piece = takePendingPiece()
        if (piece) return piece
        if (failure !== undefined) throw failure
        const left = until - Date.now()
        if (left <= 0 || isEnded) return undefined
        await new Promise<void>((resolve) => {
          const asking = setTimeout(
            () => {
              sendStatus(true)
              resolve()
            },
            Math.min(left, ASK_MS),
          )
          wake = () => {
            clearTimeout(asking)
            resolve()
          }
        })
      }
    },
    confirm(at) {
      const lsn = parseLsn(at)
      if (lsn <= confirmed) return
      confirmed = lsn
      sendStatus(false)
    },
    async close() {
      clearInterval(timer)
      client.off('end', onEnd)
      if (failure === undefined) {
        wire?.stream.resume()
        sendStatus(false)
        wire?.endCopyFrom()
      }
      await link.close()
    },
  }
}

const ENDED = Object.assign(new Error('The connection was closed.'), { code: 'ECONNRESET' })
