import { lstatSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isFolder } from './is-folder.ts'

export interface Owner {
  uid: number
  gid: number
}

const NOBODY: Owner = { uid: 65534, gid: 65534 }

/** Postgres refuses to run as root. Existing data keeps its owner, so that root can start a user's folder. */
export function chooseOwner(dataDir: string): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined
  const present = isFolder(dataDir) ? lstatSync(dataDir) : undefined
  if (present && present.uid !== 0) return { uid: present.uid, gid: present.gid }
  return findAccount('postgres') ?? findAccount('nobody') ?? NOBODY
}

function findAccount(name: string): Owner | undefined {
  const line = readPasswd()
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  return uid && gid && Number(uid) > 0 ? { uid: Number(uid), gid: Number(gid) } : undefined
}

function readPasswd(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8')
  } catch {
    return ''
  }
}

export function canReach(path: string, owner: Owner | undefined): boolean {
  if (!owner) return true
  for (let place = path; ; place = dirname(place)) {
    const stat = statSync(place, { throwIfNoEntry: false })
    if (stat && !hasExecuteBit(stat, owner)) return false
    if (place === dirname(place)) return true
  }
}

function hasExecuteBit(stat: { mode: number; uid: number; gid: number }, owner: Owner): boolean {
  if (stat.uid === owner.uid) return (stat.mode & 0o100) !== 0
  if (stat.gid === owner.gid) return (stat.mode & 0o010) !== 0
  return (stat.mode & 0o001) !== 0
}
