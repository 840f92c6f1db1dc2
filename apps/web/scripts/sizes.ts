/** Prints the JavaScript each route loads on a cold visit, in KB gzip, from the manifest of the last build. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

interface Chunk {
  file: string
  name?: string
  src?: string
  isEntry?: boolean
  isDynamicEntry?: boolean
  imports?: string[]
}
type Manifest = Record<string, Chunk>

export interface RouteSize {
  route: string
  /** Everything a cold visit loads. */
  totalKb: number
  /** What the route adds to its entry. */
  ownKb: number
}

export const DOOR_BUDGET_KB = 90
export const SHELL_BUDGET_KB = 180

export async function routeSizes(dist: string): Promise<RouteSize[]> {
  const manifest = JSON.parse(await readFile(join(dist, '.vite', 'manifest.json'), 'utf8')) as Manifest
  const sizes = new Map<string, number>()
  const sizeOf = async (key: string) => {
    const { file } = chunkOf(manifest, key)
    if (!sizes.has(file)) sizes.set(file, gzipSync(await readFile(join(dist, file)), { level: 9 }).length / 1024)
    return sizes.get(file) ?? 0
  }
  const sumOf = async (keys: Iterable<string>) => {
    let sum = 0
    for (const key of keys) sum += await sizeOf(key)
    return Math.round(sum * 10) / 10
  }

  const shell = needed(manifest, 'index.html')
  const routes: RouteSize[] = []
  for (const [key, chunk] of Object.entries(manifest)) {
    if (chunk.isEntry) {
      const totalKb = await sumOf(needed(manifest, key))
      routes.push({ route: key, totalKb, ownKb: totalKb })
    } else if (chunk.isDynamicEntry) {
      const own = [...needed(manifest, key)].filter((one) => !shell.has(one))
      const ownKb = await sumOf(own)
      routes.push({ route: chunk.src ?? key, totalKb: await sumOf([...shell, ...own]), ownKb })
    }
  }
  return routes.toSorted((a, b) => a.totalKb - b.totalKb)
}

function needed(manifest: Manifest, key: string, found = new Set<string>()): Set<string> {
  if (found.has(key)) return found
  found.add(key)
  for (const one of chunkOf(manifest, key).imports ?? []) needed(manifest, one, found)
  return found
}

function chunkOf(manifest: Manifest, key: string): Chunk {
  const chunk = manifest[key]
  if (!chunk) throw new Error(`The manifest of the web build has no ${key}`)
  return chunk
}

if (import.meta.main) {
  for (const { route, totalKb, ownKb } of await routeSizes(join(import.meta.dirname, '..', 'dist'))) {
    process.stdout.write(`${totalKb.toFixed(1).padStart(8)} KB  ${ownKb.toFixed(1).padStart(8)} KB own  ${route}\n`)
  }
}
