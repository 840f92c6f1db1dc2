import { randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { assertOutOfReach, claimFolder } from './folder-guard.ts'
import { isFolder } from './is-folder.ts'
import { readOwnFile, writeOwnFile } from './own-file.ts'
import { canReach, chooseOwner, type Owner } from './process-owner.ts'
import { toStartProblem, startError } from './start-problem.ts'

export interface ServerFolder {
  root: string
  /** The only part the database user may write. */
  data: string
  settingsFile: string
  accessFile: string
  certificateFile: string
  keyFile: string
  passwordFile: string
  portFile: string
  logFile: string
  programs: string
  owner: Owner | undefined
}

const shared = '/var/lib/trellis'

/**
 * As root, Postgres runs as another user who may not enter e.g. /root. The data then lies in /var/lib/trellis, and a
 * file `place` in the requested folder points to it.
 */
export function openServerFolder(wanted: string, log: (line: string) => void): ServerFolder {
  try {
    const path = resolve(wanted)
    mkdirSync(path, { recursive: true })
    const asked = realpathSync(path)
    const placed = readPlace(asked)
    const owner = chooseOwner(join(placed ?? asked, 'data'))
    for (const above of [realpathSync(dirname(path)), dirname(asked)]) assertOutOfReach(above, owner)
    claimFolder(asked, owner)
    const root = placed ?? (canReach(dirname(asked), owner) ? asked : createServerFolder(asked, owner))
    if (root !== asked) {
      log(`The database lies in ${root}, because its user cannot enter ${asked}.`)
      claimPlace(root, owner)
    }
    // Before it was claimed, its former owner could have swapped the folder.
    if (chooseOwner(join(root, 'data'))?.uid !== owner?.uid) throw foreignOwnerError(join(root, 'data'))
    return describe(root, owner)
  } catch (error) {
    throw toStartProblem(error, wanted)
  }
}

export function findServerFolder(wanted: string): ServerFolder | undefined {
  const path = resolve(wanted)
  if (!isFolder(path)) return undefined
  const asked = realpathSync(path)
  return describe(readPlace(asked) ?? asked, undefined)
}

function describe(root: string, owner: Owner | undefined): ServerFolder {
  return {
    root,
    data: join(root, 'data'),
    settingsFile: join(root, 'postgresql.conf'),
    accessFile: join(root, 'pg_hba.conf'),
    certificateFile: join(root, 'server.crt'),
    keyFile: join(root, 'server.key'),
    passwordFile: join(root, 'password'),
    portFile: join(root, 'port'),
    logFile: join(root, 'postgres.log'),
    programs: owner ? shared : join(root, 'programs'),
    owner,
  }
}

function readPlace(asked: string): string | undefined {
  const place = join(asked, 'place')
  const root = readOwnFile(place)?.trim()
  if (root === undefined) return undefined
  const isTrusted = process.getuid?.() !== 0 || lstatSync(asked).uid === 0
  if (!isTrusted || dirname(root) !== shared || !/^[0-9a-f]{12}$/.test(root.slice(shared.length + 1)))
    throw startError(`${place} was not written by Trellis. Move it away and start again.`)
  if (isFolder(root)) return root
  throw startError(
    `The database folder ${root} is gone. Put it back, or delete ${place} to start with an empty database.`,
  )
}

function createServerFolder(asked: string, owner: Owner | undefined): string {
  const root = join(shared, randomBytes(6).toString('hex'))
  mkdirSync(shared, { recursive: true, mode: 0o755 })
  assertOutOfReach(shared, owner)
  mkdirSync(root, { mode: 0o700 })
  writeOwnFile(join(asked, 'place'), `${root}\n`)
  return root
}

function claimPlace(root: string, owner: Owner | undefined): void {
  assertOutOfReach(shared, owner)
  const { uid } = lstatSync(root)
  if (owner && uid !== 0 && uid !== owner.uid) throw foreignOwnerError(root)
  claimFolder(root, owner)
}

function foreignOwnerError(path: string): Error {
  return startError(`${path} belongs to another user than the database in it. Give it back to its user.`)
}
