import { accessSync, chmodSync, constants, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { toStartProblem } from '@trellis/embedded/postgres/start-problem'
import { closeToOthers } from '../platform/object-store/restrict-permissions.ts'

const ownNames = /^(keys|lock|logs|objects|postgres)(\..*)?$/

/**
 * Created private. As root, the database's user must still be able to traverse it, so private parts are in closed
 * subfolders.
 */
export function openHome(home: string): void {
  const isRoot = process.getuid?.() === 0
  const passing = isRoot ? 0o011 : 0
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 | passing })
    const { mode } = statSync(home)
    if (isOurs(home)) chmodSync(home, (mode & 0o700) | passing)
    else if (isRoot) chmodSync(home, mode | passing)
    mkdirSync(join(home, 'logs'), { recursive: true, mode: 0o700 })
    for (const name of ['keys', 'logs', 'objects']) closeToOthers(join(home, name))
    accessSync(home, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw toStartProblem(error, home)
  }
}

// A shared folder such as /tmp keeps its permissions.
function isOurs(home: string): boolean {
  const { uid, mode } = statSync(home)
  const isSticky = (mode & 0o1000) !== 0
  return uid === process.getuid?.() && !isSticky && readdirSync(home).every((name) => ownNames.test(name))
}
