import type { Socket } from 'node:net'
import { createByteCollector } from './byte-collector.ts'

/** Raw DataRow messages with their length prefixes. */
export interface RowBytes {
  readonly bytes: Buffer
  readonly rows: number
}

const DATA_ROW = 'D'.charCodeAt(0)
const ERROR = 'E'.charCodeAt(0)
const NOTICE = 'N'.charCodeAt(0)
/** The driver would hold several copies of a huge error message. */
const MAX_ERROR_BYTES = 1024 * 1024
/** Further notices are dropped: each costs the driver CPU that other requests need. */
export const MAX_NOTICE_BYTES = 256 * 1024
export const MAX_NOTICES = 200
/** Slows reading of dropped notices, which would otherwise take a full core. */
const DROPPED_WAIT_MS = 10
const HEADER_BYTES = 5
const MIN_LENGTH = 4
/** Unexpectedly large rows must not fill the memory. */
const MAX_HELD_BYTES = 4 * 1024 * 1024
const LARGE_ROW_BYTES = 64 * 1024

export interface DataRowTap {
  take(): RowBytes
  /** The buffer will be overwritten. */
  giveBack(rows: RowBytes): void
  resume(): void
  discard(): void
  stop(): void
}

interface TapOptions {
  readonly maxRowBytes: number
  /** Backpressure: pauses until `resume`. */
  readonly onFull: () => void
  readonly onTooLarge: () => void
  readonly onBadLength: () => void
  readonly onLongError: () => void
}

type Target = 'rows' | 'driver' | 'nobody'
type Listener = (bytes: Buffer) => void

/**
 * Diverts DataRow messages from the driver, which would create a string per cell. Attach and detach between statements
 * only. Copies once, as the socket reuses its buffer.
 */
export function tapDataRows(stream: Socket, options: TapOptions): DataRowTap {
  const driver = stream.listeners('data') as Listener[]
  const collected = createByteCollector()
  let rows = 0
  let whole = 0
  let isFull = false
  let isDiscarding = false
  let head: Buffer | undefined
  let left = 0
  let target: Target = 'driver'
  let pending = 0
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

  function findRefusal(code: number | undefined, length: number): (() => void) | undefined {
    if (length < MIN_LENGTH) return options.onBadLength
    if (code === ERROR && length > MAX_ERROR_BYTES) return options.onLongError
    return code === DATA_ROW && length > options.maxRowBytes ? options.onTooLarge : undefined
  }

  function emitBatch(bytes: Buffer): void {
    if (bytes.length === 0) return
    if (target === 'rows') {
      if (!isDiscarding) collected.add(bytes)
    } else if (target === 'driver') for (const listener of driver) listener.call(stream, Buffer.from(bytes))
  }

  function endRow(unhanded: number): void {
    pending = 0
    if (isDiscarding) return
    rows += 1
    whole = collected.length + unhanded
  }

  function wait(): void {
    stream.pause()
    waiting ??= setTimeout(() => {
      waiting = undefined
      if (!isFull) stream.resume()
    }, DROPPED_WAIT_MS)
  }

  /** False if a message was refused: stop reading. */
  function read(bytes: Buffer): boolean {
    let from = 0
    let at = 0
    while (at < bytes.length) {
      if (left === 0) {
        if (bytes.length - at < HEADER_BYTES) {
          head = Buffer.from(bytes.subarray(at))
          break
        }
        const code = bytes[at]
        const length = bytes.readUInt32BE(at + 1)
        const refuse = findRefusal(code, length)
        if (refuse) {
          refuse()
          return false
        }
        left = length + 1
        const next = findTarget(code, length)
        if (next !== target) {
          emitBatch(bytes.subarray(from, at))
          from = at
          target = next
        }
        if (length > LARGE_ROW_BYTES && target === 'rows' && !isDiscarding) collected.reserve(at - from + left)
      }
      const taken = Math.min(left, bytes.length - at)
      at += taken
      left -= taken
      if (left === 0 && target === 'rows') endRow(at - from)
    }
    emitBatch(bytes.subarray(from, at))
    return true
  }

  function onData(chunk: Buffer): void {
    let rest = chunk
    pending += chunk.length
    if (head) {
      const missing = HEADER_BYTES - head.length
      const whole = Buffer.concat([head, chunk.subarray(0, missing)])
      head = undefined
      if (!read(whole)) return
      rest = chunk.subarray(missing)
    }
    if (!read(rest)) return
    if (target === 'nobody') {
      pending = 0
      wait()
    }
    if (pending > options.maxRowBytes) options.onTooLarge()
    if (whole >= MAX_HELD_BYTES && !isDiscarding) {
      isFull = true
      stream.pause()
      options.onFull()
    }
  }

  function resume(): void {
    if (!isFull) return
    isFull = false
    stream.resume()
  }

  // In this order the stream always has a listener and never pauses.
  stream.on('data', onData)
  stream.on('bytes', onData)
  for (const listener of driver) stream.off('data', listener)
  return {
    take() {
      const batch = { bytes: collected.take(whole), rows }
      rows = 0
      whole = 0
      return batch
    },
    giveBack: ({ bytes }) => collected.giveBack(bytes),
    resume,
    discard() {
      isDiscarding = true
      resume()
    },
    stop() {
      if (waiting) clearTimeout(waiting)
      if (waiting || isFull) stream.resume()
      for (const listener of driver) stream.on('data', listener)
      stream.off('data', onData)
      stream.off('bytes', onData)
      if (head) for (const listener of driver) listener.call(stream, head)
    },
  }
}
