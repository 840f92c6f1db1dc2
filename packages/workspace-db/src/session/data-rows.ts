import type { Socket } from 'node:net'

/** Rows as Postgres sends them: DataRow messages one after the other, each with its length in front. */
export interface RowBytes {
  readonly bytes: Buffer
  readonly rows: number
}

const DATA_ROW = 'D'.charCodeAt(0)
const HEADER_BYTES = 5
const MIN_LENGTH = 4

export interface DataRowTap {
  /** The rows that came in since the last call. A row that is still coming in is not counted. */
  take(): RowBytes
  stop(): void
}

type Listener = (bytes: Buffer) => void

/**
 * Keeps rows away from the driver, which would make a string of every cell; all other messages go on to it. Begins and
 * ends between two statements, where the server sends nothing by half.
 */
export function tapDataRows(
  stream: Socket,
  { onRow, onBadLength }: Record<'onRow' | 'onBadLength', () => void>,
): DataRowTap {
  const driver = stream.listeners('data') as Listener[]
  let parts: Buffer[] = []
  let rows = 0
  let head: Buffer | undefined
  /** Bytes to come of the message that is being read. */
  let left = 0
  let isRow = false

  function hand(bytes: Buffer): void {
    if (bytes.length === 0) return
    if (isRow) parts.push(bytes)
    else for (const listener of driver) listener.call(stream, bytes)
  }

  function onData(chunk: Buffer): void {
    const bytes = head ? Buffer.concat([head, chunk]) : chunk
    head = undefined
    let hasRow = false
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
        left = length + 1
        const isNextRow = bytes[at] === DATA_ROW
        if (isNextRow !== isRow) {
          hand(bytes.subarray(from, at))
          from = at
          isRow = isNextRow
        }
      }
      const taken = Math.min(left, bytes.length - at)
      at += taken
      left -= taken
      if (left === 0 && isRow) {
        rows += 1
        hasRow = true
      }
    }
    hand(bytes.subarray(from, at))
    if (hasRow) onRow()
  }

  // In this order the stream always has a listener and never pauses.
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
      for (const listener of driver) stream.on('data', listener)
      stream.off('data', onData)
      if (head) for (const listener of driver) listener.call(stream, head)
    },
  }
}
