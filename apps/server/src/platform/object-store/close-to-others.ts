import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Takes a folder of earlier versions, which every user of the machine could read, away from the others. The outermost
 * one goes first: once it is closed nobody gets to what lies inside, even when the rest is broken off by a kill.
 */
export function closeToOthers(root: string): void {
  const found = lstatSync(root, { throwIfNoEntry: false })
  if (found?.isDirectory() && (found.mode & 0o077) !== 0) closeFolder(root)
}

function closeFolder(folder: string): void {
  try {
    chmodSync(folder, 0o700)
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) closeFolder(path)
      else if (entry.isFile()) closeFile(path)
    }
  } catch (error) {
    ignoreUnchangeable(error)
  }
}

function closeFile(path: string): void {
  try {
    chmodSync(path, 0o600)
  } catch (error) {
    ignoreUnchangeable(error)
  }
}

// A draft that another process has just renamed is gone; some mounted disks give every file one fixed mode.
function ignoreUnchangeable(error: unknown): void {
  if (!['ENOENT', 'EPERM', 'EROFS', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
}
