import { existsSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { findServer } from '@trellis/embedded/postgres/find-server'
import type { Config } from '../../platform/config.ts'
import { openObjectStore } from '../../platform/object-store/open-object-store.ts'
import { openHome } from '../../supervisor/home-folder.ts'
import { acquireHomeLock } from '../../supervisor/home-lock.ts'
import { AdminError, EXIT } from '../admin-error.ts'
import { formatFinding } from '../check/finding.ts'
import type { OfflineCommand } from '../command.ts'
import { withInstallation } from '../open-installation.ts'
import { assertRoom, assertSupported, findFittingKeys } from './assert-restorable.ts'
import { readFolder } from './backup.ts'
import { checkFiles, checkParts } from './check-parts.ts'
import { restoreDatabase } from './database.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { restoreObjects } from './objects.ts'
import { type KeyFiles, writeKeyFiles } from './sealed-keys.ts'

export async function restoreBackup({ config, args, flags, say, show }: OfflineCommand): Promise<number> {
  const folder = readFolder(args, 'restore')
  const manifest = readManifest(folder)
  assertSameKind(manifest, config)
  await assertSupported(manifest)
  const passphraseFile = flags['passphrase-file']
  openHome(config.home)
  const lock = await acquireHomeLock(config.home, 'trellis admin restore')
  try {
    assertStopped(config)
    const keys = findFittingKeys({ folder, manifest, config, passphraseFile })
    const occupied = await findOccupied(config, keys)
    if (occupied.length > 0 && flags.replace !== true) throw notEmptyError(config, occupied)
    say('Checking the backup.')
    await checkFiles(folder, manifest)
    await assertRoom(config.home, manifest.database?.bytes ?? 0)
    moveAside(config.home, occupied, say)
    await restoreParts({ folder, manifest, config, keys, say })
  } finally {
    lock.release()
  }
  if (!manifest.database) {
    show(
      { folder, findings: [] },
      'Files and keys are restored. Restore the databases with the tools of your Postgres, then run: trellis admin check',
    )
    return EXIT.ok
  }
  return await withInstallation({ config, say: () => {} }, async (installation) => {
    const findings = await checkParts(installation, { hasKeys: true, hasObjects: manifest.objects !== null })
    const isOk = findings.every(({ status }) => status !== 'failed')
    await installation.audit({
      action: 'backupRestored',
      outcome: isOk ? 'done' : 'failed',
      detail: { backup_of: manifest.finished_at },
    })
    const last = isOk
      ? `Restored as of ${manifest.finished_at}. Start Trellis.`
      : 'Restored, but not everything is as it should be.'
    show({ folder, is_ok: isOk, findings }, [...findings.map(formatFinding), last].join('\n'))
    return isOk ? EXIT.ok : EXIT.failed
  })
}

function assertSameKind({ database }: Manifest, { databaseUrl }: Config): void {
  if (database && databaseUrl !== undefined) {
    throw new AdminError(
      'This backup holds the built-in Postgres. Restore it without TRELLIS_DATABASE_URL in the settings.',
    )
  }
  if (!database && databaseUrl === undefined) {
    throw new AdminError(
      'This backup holds no databases: it was made with a Postgres of your own. Set TRELLIS_DATABASE_URL to that one.',
    )
  }
}

function assertStopped({ home }: Config): void {
  if (!findServer(join(home, 'postgres'))?.isRunning) return
  throw new AdminError(`Postgres still runs in ${home}. Stop Trellis first.`)
}

async function findOccupied(config: Config, keys: KeyFiles): Promise<string[]> {
  const names = ['postgres', 'objects', ...(Object.keys(keys).length > 0 ? ['keys'] : [])]
  const occupied = names.filter((name) => {
    const path = join(config.home, name)
    return existsSync(path) && readdirSync(path).length > 0
  })
  if (!config.s3) return occupied
  const { objects } = await openObjectStore(config).list('')
  return objects.length > 0 ? [...occupied, `bucket ${config.s3.bucket}`] : occupied
}

const notEmptyError = ({ home }: Config, occupied: readonly string[]) =>
  new AdminError(
    `There is data already: ${occupied.join(', ')} (data folder ${home}). Restore into an empty folder (TRELLIS_HOME), or add --replace, which keeps what is there under another name.`,
  )

function moveAside(home: string, occupied: readonly string[], say: (line: string) => void): void {
  const suffix = `before-restore-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}`
  for (const name of occupied) {
    if (!existsSync(join(home, name))) continue
    renameSync(join(home, name), join(home, `${name}.${suffix}`))
    say(`${join(home, name)} is now ${name}.${suffix}. Delete it when it is no longer needed.`)
  }
}

interface RestoreInput {
  readonly folder: string
  readonly manifest: Manifest
  readonly config: Config
  readonly keys: KeyFiles
  readonly say: (line: string) => void
}

/** Databases last: an interrupted restore does not look like an installation. */
async function restoreParts({ folder, manifest, config, keys, say }: RestoreInput): Promise<void> {
  writeKeyFiles(config.home, keys)
  if (manifest.objects) {
    say('Restoring files.')
    await restoreObjects(folder, openObjectStore(config))
  }
  if (!manifest.database) return
  say('Restoring databases.')
  await restoreDatabase(folder, { home: config.home, port: manifest.database.port, say })
}
