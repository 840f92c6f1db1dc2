import { lstatSync } from 'node:fs'

/** Whether there is a folder; a link or a file of that name is refused. */
export function isFolder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found && !found.isDirectory()) throw notAFolder(path)
  return found !== undefined
}
