import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Duplex, type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type BackedUpFile, damagedBackupError } from './manifest.ts'

export function createHashing(): { through: Transform; digest(): { size: number; sha256: string } } {
  const hash = createHash('sha256')
  let size = 0
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      size += chunk.length
      done(null, chunk)
    },
  })
  return { through, digest: () => ({ size, sha256: hash.digest('hex') }) }
}

export async function writeBackupFile(
  folder: string,
  path: string,
  body: [Readable, ...Duplex[]],
): Promise<BackedUpFile> {
  const hashing = createHashing()
  await pipeline([...body, hashing.through, createWriteStream(join(folder, path), { mode: 0o600, flush: true })])
  return { path, ...hashing.digest() }
}

export async function checkBackupFile(folder: string, { path, size, sha256 }: BackedUpFile): Promise<void> {
  const place = join(folder, path)
  if (!existsSync(place)) throw damagedBackupError(place)
  const hashing = createHashing()
  const file = createReadStream(place, { highWaterMark: 1024 ** 2 })
  await pipeline(file, hashing.through, async (chunks) => {
    for await (const _ of chunks) continue
  })
  const found = hashing.digest()
  if (found.size !== size || found.sha256 !== sha256) throw damagedBackupError(place)
}
