import { join } from 'node:path'
import { superuser } from './init-cluster.ts'
import { readDoubtful, readOwn } from './own-file.ts'
import { findHolder } from './postmaster-pid.ts'
import { findServerFolder } from './server-folder.ts'

export interface FoundServer {
  /** Superuser's address of the database `postgres`, while the server runs. */
  url: string
  isRunning: boolean
  /** The server's folder, which may lie elsewhere than asked for. */
  folder: string
  /** What the data was made with, as the file PG_VERSION says. */
  version: string | undefined
}

/** The server of a data folder as an earlier start left it. Changes nothing; nothing when none was ever started there. */
export function findServer(dataDir: string): FoundServer | undefined {
  const folder = findServerFolder(dataDir)
  const password = folder && readOwn(folder.passwordFile)?.trim()
  const port = folder && readOwn(folder.portFile)?.trim()
  if (!folder || !password || !port) return undefined
  return {
    url: `postgres://${superuser}:${password}@127.0.0.1:${port}/postgres`,
    isRunning: findHolder(folder.data).holder === 'ours',
    folder: folder.root,
    version: readDoubtful(join(folder.data, 'PG_VERSION'))?.trim(),
  }
}
