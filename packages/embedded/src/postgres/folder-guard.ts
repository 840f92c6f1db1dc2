import { closeSync, constants, fchmodSync, fchownSync, lstatSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Owner } from './process-owner.ts'
import { isFolder, toNotAFolderError } from './is-folder.ts'
import { startError } from './start-problem.ts'

/** Root must not use a folder below one in which the database user could swap it for another. */
export function assertOutOfReach(folder: string, owner: Owner | undefined): void {
  if (!owner) return
  for (let place = folder; ; place = dirname(place)) {
    const { uid, gid, mode } = statSync(place)
    if (uid === owner.uid)
      throw startError(
        `${place} belongs to user ${uid}, who runs the database. Start Trellis as that user, or set TRELLIS_HOME to another folder.`,
      )
    const isWritable = (mode & 0o002) !== 0 || (gid === owner.gid && (mode & 0o020) !== 0)
    const isSticky = (mode & 0o1000) !== 0
    if (isWritable && !isSticky)
      throw startError(
        `${place} can be changed by other users, so root keeps no database in it. Run "chmod go-w ${place}", or set TRELLIS_HOME to another folder.`,
      )
    if (place === dirname(place)) return
  }
}

/** The database user may only traverse it. Earlier versions gave it the whole folder. */
export function claimFolder(path: string, owner: Owner | undefined): void {
  const folder = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    if (owner) fchownSync(folder, 0, owner.gid)
    fchmodSync(folder, owner ? 0o710 : 0o700)
  } finally {
    closeSync(folder)
  }
  if (owner && (lstatSync(path).uid !== 0 || !isFolder(path))) throw toNotAFolderError(path)
}
