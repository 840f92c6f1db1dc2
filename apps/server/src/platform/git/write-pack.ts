import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import type { GitObject, ObjectKind } from './objects.ts'

const compress = promisify(deflate)
const TYPES: Record<ObjectKind, number> = { commit: 1, tree: 2, blob: 3, tag: 4 }

/** Streams whole objects without deltas, which would need buffering. */
export async function* writePack(count: number, objects: AsyncIterable<GitObject>): AsyncGenerator<Buffer> {
  const hash = createHash('sha1')
  const head = Buffer.alloc(12)
  head.write('PACK')
  head.writeUInt32BE(2, 4)
  head.writeUInt32BE(count, 8)
  hash.update(head)
  yield head
  for await (const { kind, body } of objects) {
    const piece = Buffer.concat([formatHead(TYPES[kind], body.length), await compress(body)])
    hash.update(piece)
    yield piece
  }
  yield hash.digest()
}

/** Type and 4 bits of the size, then 7 bits per byte. */
function formatHead(type: number, size: number): Buffer {
  const bytes: number[] = []
  let byte = (type << 4) | (size & 15)
  for (let left = Math.floor(size / 16); left > 0; left = Math.floor(left / 128)) {
    bytes.push(byte | 128)
    byte = left & 127
  }
  return Buffer.from([...bytes, byte])
}
