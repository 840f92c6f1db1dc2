import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

const ignored = new Set(['node_modules', 'dist', '.DS_Store'])

export function computeFingerprint(root, paths, extra = '') {
  const hash = createHash('sha256').update(extra)
  for (const path of paths) addPath(hash, root, join(root, path))
  return hash.digest('hex')
}

function addPath(hash, root, path) {
  if (!existsSync(path)) return
  for (const file of listFiles(path))
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0')
}

function listFiles(path) {
  let entries
  try {
    entries = readdirSync(path, { withFileTypes: true })
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path]
    throw error
  }
  return entries
    .filter((entry) => !ignored.has(entry.name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? listFiles(join(path, entry.name)) : [join(path, entry.name)]))
}
