import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Chunk {
  file: string
  src?: string
  isEntry?: boolean
  isDynamicEntry?: boolean
  imports?: string[]
  css?: string[]
}
export type Manifest = Record<string, Chunk>

export const MANIFESTS = { app: '.vite/app.json', auth: '.vite/auth.json', sparkFrame: '.vite/spark-frame.json' }
export const ENTRIES = { app: 'index.html', auth: 'sign-in.html', sparkFrame: 'src/spark-frame/frame-entry.tsx' }
export type EntryName = keyof typeof MANIFESTS

export async function readManifest(dist: string, entry: EntryName): Promise<Manifest> {
  return JSON.parse(await readFile(join(dist, MANIFESTS[entry]), 'utf8')) as Manifest
}

export function collectFiles(manifest: Manifest, key: string, found = new Set<string>()): Set<string> {
  if (found.has(key)) return found
  found.add(key)
  for (const item of getChunk(manifest, key).imports ?? []) collectFiles(manifest, item, found)
  return found
}

export function getChunk(manifest: Manifest, key: string): Chunk {
  const chunk = manifest[key]
  if (!chunk) throw new Error(`The manifest of the web build has no ${key}`)
  return chunk
}

export async function entryFiles(dist: string, entry: EntryName): Promise<string[]> {
  const manifest = await readManifest(dist, entry)
  const chunks = [...collectFiles(manifest, ENTRIES[entry])].map((key) => getChunk(manifest, key))
  return [...new Set(chunks.flatMap(({ file, css = [] }) => [file, ...css]))]
}
