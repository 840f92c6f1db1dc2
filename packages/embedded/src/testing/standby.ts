import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { receiveBaseBackup } from '../backup/base-backup.ts'
import { unpackArchive } from '../backup/restore-cluster.ts'
import { createDataFolder } from '../postgres/init-cluster.ts'
import { writeOwnFile } from '../postgres/own-file.ts'
import { openServerFolder } from '../postgres/server-folder.ts'
import type { Settings } from '../postgres/server-settings.ts'
import { type Postgres, startPostgres } from '../postgres/start-postgres.ts'

interface StandbyOptions {
  readonly primary: Pick<Postgres, 'url' | 'password'>
  readonly dataDir: string
  readonly port?: number
  readonly settings?: Settings
}

/** A second server that follows the first one by streaming replication. Started again with the same folder, it goes on. */
export async function startStandby({ primary, dataDir, settings, ...place }: StandbyOptions): Promise<Postgres> {
  const folder = openServerFolder(dataDir, () => undefined)
  if (!existsSync(folder.data)) {
    createDataFolder(folder.data, folder)
    const [archive, fileList] = [new PassThrough(), new PassThrough()]
    fileList.resume()
    await Promise.all([
      receiveBaseBackup({ url: primary.url, archive, fileList }),
      unpackArchive(archive, folder.data, folder),
    ])
    writeOwnFile(folder.passwordFile, `${primary.password}\n`)
    writeOwnFile(join(folder.data, 'standby.signal'), '', { mode: 0o600, ...folder.owner })
  }
  const { hostname, port, username, password } = new URL(primary.url)
  const following = { primary_conninfo: `host=${hostname} port=${port} user=${username} password=${password}` }
  return await startPostgres({ dataDir, settings: { ...settings, ...following }, ...place })
}
