import { randomBytes } from 'node:crypto'

/** Every name of one workspace on the cluster. Derived from the key alone, so nothing else needs to be remembered. */
export interface WorkspaceNames {
  readonly database: string
  /** Owns every table; nobody can sign in as it. */
  readonly owner: string
  /** May read every table; nobody can sign in as it. */
  readonly reader: string
  /** May write every table, and nothing more; nobody can sign in as it. */
  readonly writer: string
  /** Rules every schema as its owner does; nobody can sign in as it. */
  readonly ruler: string
  /** May connect to the database and do nothing there; every login for outside tools is a member. */
  readonly guest: string
  /** Login that acts as the owner. */
  readonly readWrite: string
  /** Login that acts as the reader. */
  readonly readOnly: string
}

const KEY = /^[0-9a-f]{16}$/
const DATABASE = /^w_([0-9a-f]{16})$/
const ANY_NAME = /"?\bw_[0-9a-f]{16}(?:_[a-z0-9_]+)?\b"?/g

/** Random, because the names of all databases and roles of a cluster can be read by everybody on it. */
export function newWorkspaceKey(): string {
  return randomBytes(8).toString('hex')
}

/** The names are put into statements as they are: a key of any other shape must never get past here. */
export function toWorkspaceNames(key: string): WorkspaceNames {
  if (!KEY.test(key)) throw new Error('A workspace key is 16 hexadecimal digits.')
  const database = `w_${key}`
  return {
    database,
    owner: `${database}_own`,
    reader: `${database}_read`,
    writer: `${database}_write`,
    ruler: `${database}_rule`,
    guest: `${database}_guest`,
    readWrite: `${database}_rw`,
    readOnly: `${database}_ro`,
  }
}

export function parseDatabaseNames(database: string): WorkspaceNames {
  const key = DATABASE.exec(database)?.[1]
  if (key === undefined) throw new Error('This is not the name of a workspace database.')
  return toWorkspaceNames(key)
}

/** The platform's own logins, of which each workspace has two, and one for each set of tables a question may read. */
export const isPlatformLogin = (user: string): boolean => /^w_[0-9a-f]{16}_(?:rw|ro|a_[0-9a-f]{16})$/.test(user)

/** Text from Postgres without the names of this or any other workspace. */
export function hideNames(text: string): string {
  return text
    .replaceAll(/\b(database|role|user) "?w_[0-9a-f]{16}(?:_[a-z0-9_]+)?\b"?/g, 'this $1')
    .replaceAll(ANY_NAME, 'this workspace')
}
