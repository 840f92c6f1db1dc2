import { isUtf8 } from 'node:buffer'
import { asBuffer } from '../read/byte-source.ts'
import type { Encoding } from '../read/encoding.ts'
import { guessOldEncoding } from './old-encodings.ts'

const BOMS: [Encoding, readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

const startsWith = (bytes: Uint8Array, mark: readonly number[]) => mark.every((byte, at) => bytes[at] === byte)

export interface EncodingFound {
  readonly encoding: Encoding
  /** Lines with non-ASCII letters that are valid, and those that are not. */
  readonly fitting: number
  readonly broken: number
  readonly second: Encoding | undefined
}

export function markedEncoding(head: Buffer): Encoding | undefined {
  return BOMS.find(([, mark]) => startsWith(head, mark))?.[0] ?? zeroSide(head)
}

/** Latin text in UTF-16 has a zero in every second byte. */
function zeroSide(head: Buffer): Encoding | undefined {
  const pairs = Math.min(head.length, 4096) >> 1
  if (pairs < 2) return undefined
  let first = 0
  let second = 0
  for (let pair = 0; pair < pairs; pair += 1) {
    if (head[pair * 2] === 0) first += 1
    if (head[pair * 2 + 1] === 0) second += 1
  }
  if (second > pairs * 0.4 && first === 0) return 'utf-16le'
  if (first > pairs * 0.4 && second === 0) return 'utf-16be'
  return undefined
}

/** Ignores a character cut off by the end of the sample. */
export const isUtf8Head = (head: Buffer): boolean =>
  [0, 1, 2, 3].some((cut) => isUtf8(head.subarray(0, Math.max(0, head.length - cut))))

const MAX_SAMPLE = 256 * 1024

/** Scans the whole file: a few invalid bytes do not change its encoding. */
export async function findEncoding(bytes: AsyncIterable<Uint8Array>): Promise<EncodingFound> {
  let fitting = 0
  let broken = 0
  let rest = Buffer.alloc(0)
  const sample: Buffer[] = []
  let sampled = 0
  const count = (line: Buffer) => {
    if (isAscii(line)) return
    if (isUtf8(line)) fitting += 1
    else {
      broken += 1
      if (sampled < MAX_SAMPLE) sample.push(Buffer.from(line), Buffer.from('\n'))
      sampled += line.length
    }
  }
  for await (const chunk of bytes) {
    const whole = rest.length === 0 ? asBuffer(chunk) : Buffer.concat([rest, chunk])
    let from = 0
    for (let end = whole.indexOf(10); end >= 0; end = whole.indexOf(10, from)) {
      count(whole.subarray(from, end))
      from = end + 1
    }
    rest = Buffer.from(whole.subarray(from))
    // A file without line endings is judged in chunks.
    if (rest.length > MAX_SAMPLE * 4) {
      count(rest)
      rest = Buffer.alloc(0)
    }
  }
  count(rest)
  const old = broken === 0 ? 'windows-1252' : guessOldEncoding(Buffer.concat(sample))
  const isUtf = fitting >= broken
  return {
    encoding: isUtf ? 'utf-8' : old,
    fitting,
    broken,
    second: isUtf ? (broken > 0 ? old : undefined) : excludeEncoding(old, fitting > 0 ? 'utf-8' : 'windows-1252'),
  }
}

const excludeEncoding = (encoding: Encoding, second: Encoding) => (second === encoding ? undefined : second)

function isAscii(line: Buffer): boolean {
  for (let at = 0; at < line.length; at += 1) if ((line[at] as number) > 127) return false
  return true
}
