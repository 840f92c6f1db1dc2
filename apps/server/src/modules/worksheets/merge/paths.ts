import { MAX_NAME_LENGTH } from '@trellis/contract/worksheets/file-names'

/** Case-insensitive and normalised, as on macOS and Windows. */
export const toPathKey = (path: string): string => path.normalize('NFC').toLowerCase()

export const getFolder = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
export const getName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
export const joinPath = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)

export function listFolders(path: string): string[] {
  const names = path.split('/').slice(0, -1)
  return names.map((_, at) => names.slice(0, at + 1).join('/'))
}

export interface PathIndex {
  add(path: string): void
  /** The existing file at this path or at one of its folders. */
  findCollision(path: string): string | undefined
}

export function createPathIndex(paths: Iterable<string> = []): PathIndex {
  const files = new Set<string>()
  const folders = new Set<string>()
  const index: PathIndex = {
    add: (path) => {
      files.add(toPathKey(path))
      for (const folder of listFolders(path)) folders.add(toPathKey(folder))
    },
    findCollision: (path) =>
      listFolders(path).find((folder) => files.has(toPathKey(folder))) ??
      (files.has(toPathKey(path)) || folders.has(toPathKey(path)) ? path : undefined),
  }
  for (const path of paths) index.add(path)
  return index
}

export function findFreePath(index: PathIndex, path: string): string {
  const names = path.split('/')
  const free = [...names]
  for (let number = 2; ; number += 1) {
    const collision = index.findCollision(free.join('/'))
    if (collision === undefined) return free.join('/')
    const at = collision.split('/').length - 1
    free[at] = addNumber(names[at] ?? '', number)
  }
}

function addNumber(name: string, number: number): string {
  const dot = name.lastIndexOf('.')
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  const suffix = ` (${number})${extension}`
  return `${stem.slice(0, MAX_NAME_LENGTH - suffix.length).toWellFormed()}${suffix}`
}
