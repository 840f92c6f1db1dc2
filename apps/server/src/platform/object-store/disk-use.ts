import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Transform } from 'node:stream'

/** Like `df`: space reserved for root does not count as free. */
export async function readDiskUse(folder: string): Promise<number> {
  const { blocks, bfree, bavail } = await statfs(existsSync(folder) ? folder : dirname(folder))
  const used = blocks - bfree
  return used / Math.max(1, used + bavail)
}

export function checkEvery(bytes: number, check: () => Promise<void>): Transform {
  let since = 0
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      since += chunk.length
      if (since < bytes) return done(null, chunk)
      since = 0
      check().then(() => done(null, chunk), done)
    },
  })
}
