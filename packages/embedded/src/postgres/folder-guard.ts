import { closeSync, constants, fchmodSync, fchownSync, lstatSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Owner } from './process-owner.ts'
import { isFolder, notAFolder } from './is-folder.ts'
import { startProblem } from './start-problem.ts'

/** Root must not work below a folder in which the database user could put another one in the place of ours. */
export function assertOutOfReach(folder: string, owner: Owner | undefined): void {
  if (!owner) return
  for (let place = folder; ; place = dirname(place)) {
    const { uid, gid, mode } = statSync(place)
    if (uid === owner.uid)
      throw startProblem(
        `${place} belongs to user ${uid}, who runs the database. Start Trellis as that user, or set TRELLIS_HOME to another folder.`,
      )
    const isWritable = (mode & 0o002) !== 0 || (gid === owner.gid && (mode & 0o020) !== 0)
    const isSticky = (mode & 0o1000) !== 0
    if (isWritable && !isSticky)
      throw startProblem(
        `${place} can be changed by other users, so root keeps no database in it. Run "chmod go-w ${place}", or set TRELLIS_HOME to another folder.`,
      )
    if (place === dirname(place)) return
  }
}

/**
 * Makes the folder ours: its user may pass through it to the data, and write nothing in it.
 * Earlier versions gave the whole folder to the database user.
 */
export function claimFolder(path: string, owner: Owner | undefined): void {
  const folder = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    if (owner) fchownSync(folder, 0, owner.gid)
    fchmodSync(folder, owner ? 0o710 : 0o700)
  } finally {
    closeSync(folder)
  }
  if (owner && (lstatSync(path).uid !== 0 || !isFolder(path))) throw notAFolder(path)
}
