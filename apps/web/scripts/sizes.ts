/** Prints the JavaScript of a cold visit per route, in KB gzip, from the last build. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ENTRIES, getChunk, collectFiles, readManifest } from './manifest.ts'

export interface RouteSize {
  route: string
  totalKb: number
  ownKb: number
}

export async function routeSizes(dist: string): Promise<RouteSize[]> {
  const [auth, app] = await Promise.all([readManifest(dist, 'auth'), readManifest(dist, 'app')])
  const sumSizes = async (manifest: typeof app, keys: Iterable<string>) => {
    const files = [...keys].map((key) => getChunk(manifest, key).file)
    const sizes = await Promise.all(files.map((file) => gzippedKb(join(dist, file))))
    return Math.round(sizes.reduce((sum, size) => sum + size, 0) * 10) / 10
  }

  const authKb = await sumSizes(auth, collectFiles(auth, ENTRIES.auth))
  const entry = collectFiles(app, ENTRIES.app)
  const appKb = await sumSizes(app, entry)
  const lazy = Object.entries(app).filter(([, chunk]) => chunk.isDynamicEntry)
  const routes = await Promise.all(
    lazy.map(async ([key, chunk]) => {
      const ownFiles = [...collectFiles(app, key)].filter((file) => !entry.has(file))
      const ownKb = await sumSizes(app, ownFiles)
      return { route: chunk.src ?? key, totalKb: appKb + ownKb, ownKb }
    }),
  )
  return [
    { route: 'auth', totalKb: authKb, ownKb: authKb },
    { route: 'app', totalKb: appKb, ownKb: appKb },
    ...routes.toSorted((a, b) => a.totalKb - b.totalKb),
  ]
}

async function gzippedKb(file: string): Promise<number> {
  return gzipSync(await readFile(file), { level: 9 }).length / 1024
}

if (import.meta.main) {
  for (const { route, totalKb, ownKb } of await routeSizes(join(import.meta.dirname, '..', 'dist'))) {
    process.stdout.write(`${totalKb.toFixed(1).padStart(8)} KB  ${ownKb.toFixed(1).padStart(8)} KB own  ${route}\n`)
  }
}
