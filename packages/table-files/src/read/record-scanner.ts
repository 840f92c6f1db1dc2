import { isUtf8 } from 'node:buffer'
import { FileFault, MAX_COLUMNS, MAX_FIELD_BYTES, MAX_RECORD_BYTES } from './byte-source.ts'

export interface Separators {
  readonly delimiter: number
  /** -1: no quotes. */
  readonly quote: number
  /** -1: doubled quotes only. */
  readonly escape: number
  /** The original delimiter, if a byte stands in for it. */
  readonly swapped?: string
  /** Spaces around values are padding. */
  readonly isPadded?: boolean
}

/** The object is reused. */
export interface RecordView {
  buffer: Buffer
  start: number
  /** Exclusive, without the line ending. */
  end: number
  next: number
  eol: '\n' | '\r\n' | '\r' | ''
  delimiters: number
  /** Relative to `start`; at most as many as columns are allowed. */
  readonly places: Int32Array
  hasQuotes: boolean
  /** A quote that COPY would misread. */
  isOdd: boolean
  /** Text after a closing quote, which is dropped. */
  isTorn: boolean
  /** Invalid UTF-8 or a NUL. */
  isBroken: boolean
  isEscaped: boolean
  feeds: number
  returns: number
  line: number
}

const LF = 10
const CR = 13
const SPACE = 32

const enumState = { start: 0, plain: 1, quoted: 2, quoteInQuotes: 3, behindQuotes: 4, spaces: 5 } as const

export interface RecordScanner {
  push(chunk: Buffer): void
  end(): void
}

/**
 * One pass over bytes. A quote opens a field only at its start or after spaces, as in `1, "a, b"`; CR, LF and CRLF end
 * a record. Buffers only an unfinished record.
 */
export function createRecordScanner(separators: Separators, take: (record: RecordView) => void): RecordScanner {
  const { delimiter, quote, escape } = separators
  const isSpecial = new Uint8Array(256)
  for (const byte of [delimiter, LF, CR]) isSpecial[byte] = 1
  if (quote >= 0) isSpecial[quote] = 1
  const { start: START, plain: PLAIN, quoted: QUOTED, quoteInQuotes: QUOTE_IN, behindQuotes: BEHIND } = enumState
  const SPACES = enumState.spaces
  const empty = Buffer.alloc(0)
  const view: RecordView = {
    buffer: empty,
    start: 0,
    end: 0,
    next: 0,
    eol: '',
    delimiters: 0,
    places: new Int32Array(MAX_COLUMNS),
    hasQuotes: false,
    isOdd: false,
    isTorn: false,
    isEscaped: false,
    isBroken: false,
    feeds: 0,
    returns: 0,
    line: 1,
  }
  let state: number = START
  let line = 1
  let quoteLine = 1
  let delimiters = 0
  let hasQuotes = false
  let isOdd = false
  let isTorn = false
  let isEscaped = false
  let isNextPlain = false
  let feeds = 0
  let returns = 0
  let isSuspect = false
  let pending: Buffer[] = []
  let pendingBytes = 0
  let heldReturn = false
  let tail = empty

  /** A character split across chunks is checked with the next one. */
  function isBrokenChunk(chunk: Buffer): boolean {
    const whole = tail.length === 0 ? chunk : Buffer.concat([tail, chunk])
    const cut = measureCutCharacter(whole)
    tail = cut === 0 ? empty : Buffer.from(whole.subarray(whole.length - cut))
    return chunk.includes(0) || !isUtf8(cut === 0 ? whole : whole.subarray(0, whole.length - cut))
  }

  function finish(chunk: Buffer, start: number, end: number): void {
    if (pendingBytes > 0) {
      pending.push(chunk.subarray(0, end))
      view.buffer = Buffer.concat(pending)
      view.start = 0
      view.end = view.buffer.length
      view.next = -1
      pending = []
      pendingBytes = 0
    } else {
      view.buffer = chunk
      view.start = start
      view.end = end
    }
    view.delimiters = delimiters
    view.hasQuotes = hasQuotes
    view.isOdd = isOdd
    view.isTorn = isTorn
    view.isEscaped = isEscaped
    view.feeds = feeds
    view.returns = returns
    view.line = line
    view.isBroken = isSuspect && isBrokenText(view.buffer.subarray(view.start, view.end))
    take(view)
    line += 1 + (feeds > 0 ? feeds : returns)
    state = START
    delimiters = 0
    hasQuotes = false
    isOdd = false
    isTorn = false
    isEscaped = false
    feeds = 0
    returns = 0
  }

  function endRecord(chunk: Buffer, start: number, at: number): number {
    const isPair = chunk[at] === CR && chunk[at + 1] === LF
    const next = at + (isPair ? 2 : 1)
    view.eol = isPair ? '\r\n' : chunk[at] === CR ? '\r' : '\n'
    view.next = next
    finish(chunk, start, at)
    return next
  }

  function handleQuote(): void {
    if (state === START || state === SPACES) {
      // COPY would keep the spaces before the quote.
      isOdd ||= state === SPACES
      state = QUOTED
      hasQuotes = true
      quoteLine = line + (feeds > 0 ? feeds : returns)
    } else if (state === QUOTE_IN) state = QUOTED
    else isOdd = true
  }

  /** An escape at the end of a chunk applies to the next one. */
  function findClose(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at]
      if (isNextPlain) isNextPlain = false
      else if (byte === escape) {
        isNextPlain = true
        isEscaped = true
      } else if (byte === quote) return at
    }
    return -1
  }

  function skipQuoted(chunk: Buffer, from: number): number {
    const close = escape < 0 ? chunk.indexOf(quote, from) : findClose(chunk, from)
    const to = close < 0 ? chunk.length : close
    for (let at = from; at < to; at += 1) {
      const byte = chunk[at]
      if (byte === LF) feeds += 1
      else if (byte === CR) returns += 1
    }
    if (close >= 0) state = QUOTE_IN
    return close < 0 ? to : to + 1
  }

  function leaveFieldStart(chunk: Buffer, from: number, to: number): void {
    if (state === PLAIN || state === BEHIND) return
    if (state === QUOTE_IN) {
      state = BEHIND
      isOdd = true
      isTorn = true
    } else state = chunk[from] === SPACE && isSpaces(chunk, from, to) ? SPACES : PLAIN
  }

  function scan(chunk: Buffer, length: number): number {
    const { places } = view
    let start = 0
    let at = 0
    // A record may have begun in an earlier chunk.
    let before = pendingBytes
    while (at < length) {
      if (state === QUOTED) {
        at = skipQuoted(chunk, at)
        continue
      }
      // Hot loop: most bytes are ordinary.
      const from = at
      while (at < length && isSpecial[chunk[at] as number] === 0) at += 1
      if (at > from) leaveFieldStart(chunk, from, at)
      if (at === length) break
      const byte = chunk[at] as number
      if (byte === delimiter) {
        if (delimiters < MAX_COLUMNS) places[delimiters] = before + at
        delimiters += 1
        state = START
        at += 1
      } else if (byte === quote) {
        handleQuote()
        at += 1
      } else {
        at = endRecord(chunk, start, at)
        start = at
        before = -at
      }
    }
    return start
  }

  function appendPending(chunk: Buffer, start: number): void {
    if (start >= chunk.length) return
    pending.push(start === 0 ? chunk : chunk.subarray(start))
    pendingBytes += chunk.length - start
    if (state === QUOTED && pendingBytes > MAX_FIELD_BYTES + 1024) throw openQuote()
    if (pendingBytes > MAX_RECORD_BYTES) {
      throw new FileFault(`The row in line ${line} is longer than 32 MB. Rows of this size can not be loaded.`)
    }
  }

  const openQuote = () =>
    new FileFault(`The quote that opens in line ${quoteLine} is not closed. Close it, or choose another quote.`)

  return {
    push(bytes) {
      // A CR at the end of a chunk may be part of CRLF.
      let chunk = heldReturn ? Buffer.concat([Buffer.from([CR]), bytes]) : bytes
      isSuspect = isBrokenChunk(bytes) || (isSuspect && pendingBytes > 0)
      heldReturn = chunk.at(-1) === CR
      if (heldReturn) chunk = chunk.subarray(0, -1)
      appendPending(chunk, scan(chunk, chunk.length))
      if (pendingBytes === 0) isSuspect = false
    },
    end() {
      isSuspect ||= tail.length > 0
      if (heldReturn) {
        heldReturn = false
        const last = Buffer.from([CR])
        appendPending(last, scan(last, 1))
      }
      if (state === QUOTED) throw openQuote()
      if (pendingBytes === 0) return
      view.eol = ''
      finish(empty, 0, 0)
    },
  }
}

function isSpaces(chunk: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (chunk[at] !== SPACE) return false
  return true
}

const isBrokenText = (bytes: Buffer): boolean => bytes.includes(0) || !isUtf8(bytes)

function measureCutCharacter(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0
  }
  return 0
}
