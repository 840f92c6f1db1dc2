import { lstatSync } from 'node:fs'
import { startError } from './start-problem.ts'

export function isFolder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found && !found.isDirectory()) throw toNotAFolderError(path)
  return found !== undefined
}

export function toNotAFolderError(path: string): Error {
  return startError(`${path} is no folder of Trellis but a link or a file. Move it away and start again.`)
}
