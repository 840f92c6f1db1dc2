import { randomBytes } from 'node:crypto'

export interface WorkspaceNames {
  readonly database: string
  /** NOLOGIN; owns every table. */
  readonly owner: string
  readonly reader: string
  /** NOLOGIN; no DDL. */
  readonly writer: string
  /** NOLOGIN; has the rights of every schema's owner. */
  readonly ruler: string
  /** May only connect; every external login is a member. */
  readonly guest: string
  readonly readWrite: string
  readonly readOnly: string
}

const WORKSPACE_KEY = /^[0-9a-f]{16}$/
const DATABASE_NAME = /^w_([0-9a-f]{16})$/
const ANY_NAME = /"?\bw_[0-9a-f]{16}(?:_[a-z0-9_]+)?\b"?/g

/** Random, since everyone on the cluster can list databases and roles. */
export function generateWorkspaceKey(): string {
  return randomBytes(8).toString('hex')
}

/** Names are not quoted, so the key must be validated. */
export function toWorkspaceNames(key: string): WorkspaceNames {
  if (!WORKSPACE_KEY.test(key)) throw new Error('A workspace key is 16 hexadecimal digits.')
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
  const key = DATABASE_NAME.exec(database)?.[1]
  if (key === undefined) throw new Error('This is not the name of a workspace database.')
  return toWorkspaceNames(key)
}

/** Two logins per workspace, and one per set of tables for generated queries. */
export const isPlatformLogin = (user: string): boolean => /^w_[0-9a-f]{16}_(?:rw|ro|a_[0-9a-f]{16})$/.test(user)

/** Masks workspace names in messages. */
export function maskNames(text: string): string {
  return text
    .replaceAll(/\b(database|role|user) "?w_[0-9a-f]{16}(?:_[a-z0-9_]+)?\b"?/g, 'this $1')
    .replaceAll(ANY_NAME, 'this workspace')
}
