export interface Halves {
  high: number
  low: number
}

export interface Span {
  bytes: Uint8Array
  from: number
  to: number
}

const START = (0x9e3779b9 + 3923095) | 0
const STEP = 12

/** `hashint8extended`, in place. */
export function hashInteger(high: number, low: number, seed: Halves): void {
  const word = low ^ (high < 0 ? ~high : high)
  if (seed.high !== 0 || seed.low !== 0) return hashBytes({ bytes: toBytes(word), from: 0, to: 4 }, seed)
  const start = (START + 4) | 0
  seed.low = start
  finish((start + word) | 0, start, seed)
}

const toBytes = (word: number) => new Uint8Array(Int32Array.of(word).buffer)

/** `hashtextextended` of UTF-8 bytes in collation C on a little-endian server, in place. */
export function hashBytes({ bytes, from, to }: Span, seed: Halves): void {
  let a = (START + to - from) | 0
  let b = a
  let c = a
  let at = from
  let isSeeded = seed.high === 0 && seed.low === 0
  while (!isSeeded || to - at >= STEP) {
    if (isSeeded) {
      a += wordAt(bytes, at)
      b += wordAt(bytes, at + 4)
      c = (c + wordAt(bytes, at + 8)) | 0
      at += STEP
    } else {
      a += seed.high
      b += seed.low
      isSeeded = true
    }
    a = (a - c) ^ rotateLeft(c, 4)
    c = (c + b) | 0
    b = (b - a) ^ rotateLeft(a, 6)
    a = (a + c) | 0
    c = (c - b) ^ rotateLeft(b, 8)
    b = (b + a) | 0
    a = (a - c) ^ rotateLeft(c, 16)
    c = (c + b) | 0
    b = (b - a) ^ rotateLeft(a, 19)
    a = (a + c) | 0
    c = (c - b) ^ rotateLeft(b, 4)
    b = (b + a) | 0
  }
  // The lowest byte of the third word is reserved for the length.
  const left = to - at
  a = (a + readLastWord(bytes, at, left)) | 0
  if (left > 4) b = (b + readLastWord(bytes, at + 4, left - 4)) | 0
  if (left > 8) c = (c + (readLastWord(bytes, at + 8, left - 8) << 8)) | 0
  seed.low = c
  finish(a, b, seed)
}

const rotateLeft = (value: number, bits: number) => (value << bits) | (value >>> (32 - bits))

const wordAt = (bytes: Uint8Array, at: number) =>
  (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)

function readLastWord(bytes: Uint8Array, at: number, size: number): number {
  let word = 0
  for (let index = Math.min(size, 4) - 1; index >= 0; index -= 1) word = (word << 8) | (bytes[at + index] ?? 0)
  return word
}

function finish(first: number, second: number, hash: Halves): void {
  let c = ((hash.low ^ second) - rotateLeft(second, 14)) | 0
  let a = ((first ^ c) - rotateLeft(c, 11)) | 0
  let b = ((second ^ a) - rotateLeft(a, 25)) | 0
  c = ((c ^ b) - rotateLeft(b, 16)) | 0
  a = ((a ^ c) - rotateLeft(c, 4)) | 0
  b = ((b ^ a) - rotateLeft(a, 14)) | 0
  c = ((c ^ b) - rotateLeft(b, 24)) | 0
  hash.high = b
  hash.low = c
}
