import { FileFault, asBuffer } from './byte-source.ts'
import type { FileDialect } from './dialect.ts'
import { createTextDecoder } from './text-decoder.ts'

export type Encoding = FileDialect['encoding']

const MARK = [0xef, 0xbb, 0xbf]
const startsWith = (bytes: Uint8Array, mark: readonly number[]) => mark.every((byte, at) => bytes[at] === byte)

/** Removes the byte order mark. `isCut`: the end is missing. */
export async function* toUtf8(
  bytes: AsyncIterable<Uint8Array>,
  encoding: Encoding,
  { isCut = false }: { isCut?: boolean } = {},
): AsyncGenerator<Buffer> {
  if (encoding === 'utf-8') return yield* withoutMark(bytes)
  const decoder = createTextDecoder(encoding, { fatal: true })
  let lines = 1
  for await (const chunk of bytes) {
    const text = decode(() => decoder.decode(chunk, { stream: true }), { encoding, lines })
    if (text === '') continue
    const converted = Buffer.from(text)
    yield converted
    lines += countFeeds(converted)
  }
  if (isCut) return
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
    yield startsWith(head, MARK) ? head.subarray(3) : head
    head = undefined
  }
  if (head && head.length > 0) yield head
}
