import { isUtf8 } from 'node:buffer'
import { FileFault, asBuffer } from './byte-source.ts'
import type { FileDialect } from './dialect.ts'

export type Encoding = FileDialect['encoding']

const BOMS: [Encoding, readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

const startsWith = (bytes: Uint8Array, mark: readonly number[]) => mark.every((byte, at) => bytes[at] === byte)

/** From the first bytes. Text that is not UTF-8 is taken for Windows-1252: other old encodings can only be told by people. */
export function detectEncoding(head: Buffer): Encoding {
  const marked = BOMS.find(([, mark]) => startsWith(head, mark))
  if (marked) return marked[0]
  const wide = zeroSide(head)
  if (wide) return wide
  // A character cut by the end of the sample says nothing.
  const isValid = [0, 1, 2, 3].some((cut) => isUtf8(head.subarray(0, Math.max(0, head.length - cut))))
  return isValid ? 'utf-8' : 'windows-1252'
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

/** The same text in UTF-8, without the mark at its beginning. */
export async function* toUtf8(bytes: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<Buffer> {
  if (encoding === 'utf-8') return yield* withoutMark(bytes)
  const decoder = new TextDecoder(encoding, { fatal: true })
  let lines = 1
  for await (const chunk of bytes) {
    const text = decode(() => decoder.decode(chunk, { stream: true }), { encoding, lines })
    if (text === '') continue
    const converted = Buffer.from(text)
    yield converted
    lines += countFeeds(converted)
  }
  const rest = decode(() => decoder.decode(), { encoding, lines })
  if (rest !== '') yield Buffer.from(rest)
}

function decode(work: () => string, { encoding, lines }: { encoding: Encoding; lines: number }): string {
  try {
    return work()
  } catch (error) {
    const message = `The file is not written in ${encoding}: near line ${lines} there are bytes that mean nothing in it. Choose another encoding.`
    throw new FileFault(message, { cause: error })
  }
}

function countFeeds(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count += 1
  return count
}

async function* withoutMark(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of bytes) {
    if (!head) {
      yield asBuffer(chunk)
      continue
    }
    head = Buffer.concat([head, chunk])
    if (head.length < 3) continue
    yield startsWith(head, [0xef, 0xbb, 0xbf]) ? head.subarray(3) : head
    head = undefined
  }
  if (head && head.length > 0) yield head
}
