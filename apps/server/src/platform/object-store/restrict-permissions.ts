import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Earlier versions created a world-readable folder. The outermost is closed first, so that an interruption leaves
 * nothing exposed.
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

// Another process may have renamed the draft; some mounts have fixed modes.
function ignoreUnchangeable(error: unknown): void {
  if (!['ENOENT', 'EPERM', 'EROFS', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
}
