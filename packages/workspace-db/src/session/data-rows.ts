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
  const rowBytes = createByteCollector()
  let rows = 0
  let completeBytes = 0
  let isFull = false
  let isDiscarding = false
  let partialHeader: Buffer | undefined
  let messageBytesLeft = 0
  let target: Target = 'driver'
  let pendingBytes = 0
  let noticeBytes = 0
  let notices = 0
  let resumeTimer: NodeJS.Timeout | undefined

  function findTarget(code: number | undefined, length: number): Target {
    if (code === DATA_ROW) return 'rows'
    if (code !== NOTICE) return 'driver'
    noticeBytes += length
    notices += 1
    return noticeBytes > MAX_NOTICE_BYTES || notices > MAX_NOTICES ? 'nobody' : 'driver'
  }

  function findRefusalHandler(code: number | undefined, length: number): (() => void) | undefined {
    if (length < MIN_LENGTH) return options.onBadLength
    if (code === ERROR && length > MAX_ERROR_BYTES) return options.onLongError
    return code === DATA_ROW && length > options.maxRowBytes ? options.onTooLarge : undefined
  }

  function emitBatch(bytes: Buffer): void {
    if (bytes.length === 0) return
    if (target === 'rows') {
      if (!isDiscarding) rowBytes.add(bytes)
    } else if (target === 'driver') for (const listener of driver) listener.call(stream, Buffer.from(bytes))
  }

  function endRow(uncollectedBytes: number): void {
    pendingBytes = 0
    if (isDiscarding) return
    rows += 1
    completeBytes = rowBytes.length + uncollectedBytes
  }

  function pauseBriefly(): void {
    stream.pause()
    resumeTimer ??= setTimeout(() => {
      resumeTimer = undefined
      if (!isFull) stream.resume()
    }, DROPPED_WAIT_MS)
  }

  /** False if a message was refused: stop reading. */
  function routeMessages(bytes: Buffer): boolean {
    let unsentStart = 0
    let offset = 0
    while (offset < bytes.length) {
      if (messageBytesLeft === 0) {
        if (bytes.length - offset < HEADER_BYTES) {
          partialHeader = Buffer.from(bytes.subarray(offset))
          break
        }
        const code = bytes[offset]
        const length = bytes.readUInt32BE(offset + 1)
        const refuse = findRefusalHandler(code, length)
        if (refuse) {
          refuse()
          return false
        }
        messageBytesLeft = length + 1
        const nextTarget = findTarget(code, length)
        if (nextTarget !== target) {
          emitBatch(bytes.subarray(unsentStart, offset))
          unsentStart = offset
          target = nextTarget
        }
        if (length > LARGE_ROW_BYTES && target === 'rows' && !isDiscarding)
          rowBytes.reserve(offset - unsentStart + messageBytesLeft)
      }
      const consumed = Math.min(messageBytesLeft, bytes.length - offset)
      offset += consumed
      messageBytesLeft -= consumed
      if (messageBytesLeft === 0 && target === 'rows') endRow(offset - unsentStart)
    }
    emitBatch(bytes.subarray(unsentStart, offset))
    return true
  }

  function onData(chunk: Buffer): void {
    let unread = chunk
    pendingBytes += chunk.length
    if (partialHeader) {
      const missing = HEADER_BYTES - partialHeader.length
      const header = Buffer.concat([partialHeader, chunk.subarray(0, missing)])
      partialHeader = undefined
      if (!routeMessages(header)) return
      unread = chunk.subarray(missing)
    }
    if (!routeMessages(unread)) return
    if (target === 'nobody') {
      pendingBytes = 0
      pauseBriefly()
    }
    if (pendingBytes > options.maxRowBytes) options.onTooLarge()
    if (completeBytes >= MAX_HELD_BYTES && !isDiscarding) {
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
      const batch = { bytes: rowBytes.take(completeBytes), rows }
      rows = 0
      completeBytes = 0
      return batch
    },
    giveBack: ({ bytes }) => rowBytes.giveBack(bytes),
    resume,
    discard() {
      isDiscarding = true
      resume()
    },
    stop() {
      if (resumeTimer) clearTimeout(resumeTimer)
      if (resumeTimer || isFull) stream.resume()
      for (const listener of driver) stream.on('data', listener)
      stream.off('data', onData)
      stream.off('bytes', onData)
      if (partialHeader) for (const listener of driver) listener.call(stream, partialHeader)
    },
  }
}
