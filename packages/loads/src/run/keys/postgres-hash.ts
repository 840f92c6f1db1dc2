export interface Halves {
  high: number
  low: number
}

export interface Span {
  bytes: Uint8Array
  from: number
  to: number
}

const INITIAL_VALUE = (0x9e3779b9 + 3923095) | 0
const BYTES_PER_ROUND = 12

/** `hashint8extended`, in place. */
export function hashInteger(high: number, low: number, seed: Halves): void {
  const word = low ^ (high < 0 ? ~high : high)
  if (seed.high !== 0 || seed.low !== 0) return hashBytes({ bytes: toBytes(word), from: 0, to: 4 }, seed)
  const start = (INITIAL_VALUE + 4) | 0
  seed.low = start
  finishHash((start + word) | 0, start, seed)
}

const toBytes = (word: number) => new Uint8Array(Int32Array.of(word).buffer)

/** `hashtextextended` of UTF-8 bytes in collation C on a little-endian server, in place. */
export function hashBytes({ bytes, from, to }: Span, seed: Halves): void {
  let a = (INITIAL_VALUE + to - from) | 0
  let b = a
  let c = a
  let offset = from
  let isSeeded = seed.high === 0 && seed.low === 0
  while (!isSeeded || to - offset >= BYTES_PER_ROUND) {
    if (isSeeded) {
      a += readWord(bytes, offset)
      b += readWord(bytes, offset + 4)
      c = (c + readWord(bytes, offset + 8)) | 0
      offset += BYTES_PER_ROUND
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
  const bytesLeft = to - offset
  a = (a + readLastWord(bytes, offset, bytesLeft)) | 0
  if (bytesLeft > 4) b = (b + readLastWord(bytes, offset + 4, bytesLeft - 4)) | 0
  if (bytesLeft > 8) c = (c + (readLastWord(bytes, offset + 8, bytesLeft - 8) << 8)) | 0
  seed.low = c
  finishHash(a, b, seed)
}

const rotateLeft = (value: number, bits: number) => (value << bits) | (value >>> (32 - bits))

const readWord = (bytes: Uint8Array, offset: number) =>
  (bytes[offset] ?? 0) |
  ((bytes[offset + 1] ?? 0) << 8) |
  ((bytes[offset + 2] ?? 0) << 16) |
  ((bytes[offset + 3] ?? 0) << 24)

function readLastWord(bytes: Uint8Array, offset: number, size: number): number {
  let word = 0
  for (let index = Math.min(size, 4) - 1; index >= 0; index -= 1) word = (word << 8) | (bytes[offset + index] ?? 0)
  return word
}

function finishHash(first: number, second: number, hash: Halves): void {
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
