import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { canReach, chooseOwner, type Owner } from './process-owner.ts'
import { asStartProblem, startProblem } from './start-problem.ts'

/** The folder of one server: data, password, port and log live in it. */
export interface ServerFolder {
  root: string
  data: string
  passwordFile: string
  portFile: string
  logFile: string
  /** Where programs are copied when they cannot be run from node_modules. */
  programs: string
  owner: Owner | undefined
}

const shared = '/var/lib/trellis'

/**
 * Started by root, Postgres runs as another user, who may not get into a private folder such as root's home.
 * The data then lies under /var/lib/trellis, and the file `place` in the wanted folder says where.
 */
export function openServerFolder(wanted: string, log: (line: string) => void): ServerFolder {
  try {
    mkdirSync(wanted, { recursive: true })
    const asked = realpathSync(wanted)
    const place = join(asked, 'place')
    const placed = readPlace(place)
    const owner = chooseOwner(placed ? join(placed, 'data') : join(asked, 'data'))
    const root = placed ?? (canReach(dirname(asked), owner) ? asked : newPlace(place))
    if (root !== asked) log(`The database lies in ${root}, because its user cannot enter ${asked}.`)
    if (owner) chownSync(root, owner.uid, owner.gid)
    chmodSync(root, 0o700)
    return describe(root, owner)
  } catch (error) {
    throw asStartProblem(error, wanted)
  }
}

function describe(root: string, owner: Owner | undefined): ServerFolder {
  return {
    root,
    data: join(root, 'data'),
    passwordFile: join(root, 'password'),
    portFile: join(root, 'port'),
    logFile: join(root, 'postgres.log'),
    programs: owner ? shared : join(root, 'programs'),
    owner,
  }
}

function readPlace(place: string): string | undefined {
  if (!existsSync(place)) return undefined
  const root = readFileSync(place, 'utf8').trim()
  if (existsSync(root)) return root
  throw startProblem(
    `The database folder ${root} is gone. Put it back, or delete ${place} to start with an empty database.`,
  )
}

function newPlace(place: string): string {
  const root = join(shared, randomBytes(6).toString('hex'))
  mkdirSync(root, { recursive: true, mode: 0o755 })
  writeFileSync(place, `${root}\n`)
  return root
}
