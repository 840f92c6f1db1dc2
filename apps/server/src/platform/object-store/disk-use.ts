import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Transform } from 'node:stream'

/** How much of a folder's disk is in use, as `df` counts it: what only root may use is no room for a database. */
export async function readDiskUse(folder: string): Promise<number> {
  // A store that holds nothing yet has no folder.
  const { blocks, bfree, bavail } = await statfs(existsSync(folder) ? folder : dirname(folder))
  const used = blocks - bfree
  return used / Math.max(1, used + bavail)
}

/** Passes bytes on, and stops them when the check fails. */
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
