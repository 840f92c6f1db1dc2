import type { Socket } from 'node:net'

/** Rows as Postgres sends them: DataRow messages one after the other, each with its length in front. */
export interface RowBytes {
  readonly bytes: Buffer
  readonly rows: number
}

const DATA_ROW = 'D'.charCodeAt(0)
const ERROR = 'E'.charCodeAt(0)
const NOTICE = 'N'.charCodeAt(0)
/** A statement may raise an error of any length, which the driver would hold several times over. */
const MAX_ERROR_BYTES = 1024 * 1024
/** Of one statement: the driver takes its time with each, and everybody else would wait. Those beyond are dropped. */
export const MAX_NOTICE_BYTES = 256 * 1024
export const MAX_NOTICES = 200
/** Between two reads of notices that are dropped: as fast as they come, they would take a whole core on both sides. */
const DROPPED_WAIT_MS = 10
const HEADER_BYTES = 5
const MIN_LENGTH = 4

export interface DataRowTap {
  /** The rows that came in since the last call. A row that is still coming in is not counted. */
  take(): RowBytes
  stop(): void
}

type Target = 'rows' | 'driver' | 'nobody'
type Listener = (bytes: Buffer) => void

/**
 * Keeps rows away from the driver, which would make a string of every cell; all other messages go on to it. Begins and
 * ends between two statements, where the server sends nothing by half.
 */
export function tapDataRows(
  stream: Socket,
  { onFreed, onBadLength, onLongError }: Record<'onFreed' | 'onBadLength' | 'onLongError', () => void>,
): DataRowTap {
  const driver = stream.listeners('data') as Listener[]
  let parts: Buffer[] = []
  let rows = 0
  let head: Buffer | undefined
  /** Bytes to come of the message that is being read. */
  let left = 0
  let target: Target = 'driver'
  let noticeBytes = 0
  let notices = 0
  let waiting: NodeJS.Timeout | undefined

  function findTarget(code: number | undefined, length: number): Target {
    if (code === DATA_ROW) return 'rows'
    if (code !== NOTICE) return 'driver'
    noticeBytes += length
    notices += 1
    return noticeBytes > MAX_NOTICE_BYTES || notices > MAX_NOTICES ? 'nobody' : 'driver'
  }

  function hand(bytes: Buffer): void {
    if (bytes.length === 0) return
    if (target === 'rows') parts.push(bytes)
    else if (target === 'driver') for (const listener of driver) listener.call(stream, bytes)
  }

  function wait(): void {
    stream.pause()
    waiting ??= setTimeout(() => {
      waiting = undefined
      stream.resume()
    }, DROPPED_WAIT_MS)
  }

  function onData(chunk: Buffer): void {
    const bytes = head ? Buffer.concat([head, chunk]) : chunk
    head = undefined
    let isFreed = false
    let from = 0
    let at = 0
    while (at < bytes.length) {
      if (left === 0) {
        if (bytes.length - at < HEADER_BYTES) {
          head = bytes.subarray(at)
          break
        }
        const length = bytes.readUInt32BE(at + 1)
        if (length < MIN_LENGTH) return onBadLength()
        if (bytes[at] === ERROR && length > MAX_ERROR_BYTES) return onLongError()
        left = length + 1
        const next = findTarget(bytes[at], length)
        if (next !== target) {
          hand(bytes.subarray(from, at))
          from = at
          target = next
        }
      }
      const taken = Math.min(left, bytes.length - at)
      at += taken
      left -= taken
      if (left === 0 && target === 'rows') {
        rows += 1
        isFreed = true
      }
    }
    hand(bytes.subarray(from, at))
    if (isFreed || target === 'nobody') onFreed()
    if (target === 'nobody') wait()
  }

  // In this order the stream always has a listener and never pauses by itself.
  stream.on('data', onData)
  for (const listener of driver) stream.off('data', listener)
  return {
    take() {
      const batch = { bytes: parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts), rows }
      parts = []
      rows = 0
      return batch
    },
    stop() {
      if (waiting) {
        clearTimeout(waiting)
        stream.resume()
      }
      for (const listener of driver) stream.on('data', listener)
      stream.off('data', onData)
      if (head) for (const listener of driver) listener.call(stream, head)
    },
  }
}
