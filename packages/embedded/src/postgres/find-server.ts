import { join } from 'node:path'
import { superuser } from './init-cluster.ts'
import { readUntrusted, readOwnFile } from './own-file.ts'
import { findHolder } from './postmaster-pid.ts'
import { findServerFolder } from './server-folder.ts'

export interface FoundServer {
  url: string
  isRunning: boolean
  folder: string
  version: string | undefined
}

export function findServer(dataDir: string): FoundServer | undefined {
  const folder = findServerFolder(dataDir)
  const password = folder && readOwnFile(folder.passwordFile)?.trim()
  const port = folder && readOwnFile(folder.portFile)?.trim()
  if (!folder || !password || !port) return undefined
  return {
    url: `postgres://${superuser}:${password}@127.0.0.1:${port}/postgres`,
    isRunning: findHolder(folder.data).holder === 'ours',
    folder: folder.root,
    version: readUntrusted(join(folder.data, 'PG_VERSION'))?.trim(),
  }
}
