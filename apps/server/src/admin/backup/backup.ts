import { accessSync, chmodSync, constants, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { openObjectStore } from '../../platform/object-store/open-object-store.ts'
import { listClusters } from '../../platform/clusters/clusters.repository.ts'
import { listRootKeyIds } from '../../platform/secrets/data-keys.ts'
import program from '../../../package.json' with { type: 'json' }
import { AdminError, EXIT } from '../admin-error.ts'
import type { AdminCommand } from '../command.ts'
import { withRotateLock } from '../keys.ts'
import type { Installation } from '../open-installation.ts'
import { writeBackupFile } from './backup-files.ts'
import { backUpDatabase } from './database.ts'
import { type BackedUpFile, type Manifest, SEALED_KEYS, writeManifest } from './manifest.ts'
import { type CopiedObjects, copyObjects, openBackupStore, writeObjectList } from './objects.ts'
import { readKeyFiles, readPassphrase, sealKeys } from './sealed-keys.ts'

export async function backUp({ installation, args, flags, say, show }: AdminCommand): Promise<number> {
  const { config, control } = installation
  const folder = readFolder(args, 'backup')
  const passphraseFile = flags['passphrase-file']
  const passphrase = passphraseFile === undefined ? undefined : readPassphrase(passphraseFile)
  openEmptyFolder(folder, config.home)
  try {
    const request = { installation, folder, say, passphrase, hasObjects: flags['without-objects'] !== true }
    const manifest = await withRotateLock(control, () => makeBackup(request))
    await installation.audit({ action: 'backupMade', outcome: 'done', detail: { folder } })
    const elsewhere = (await listClusters(control)).length - 1
    show({ folder, ...manifest }, formatBackup(request, manifest, elsewhere))
    return EXIT.ok
  } catch (error) {
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true })
    throw toBackupProblem(error, folder)
  }
}

export function readFolder([folder]: readonly string[], command: string): string {
  if (folder !== undefined) return resolve(folder)
  throw new AdminError(`Name the folder of the backup. See: trellis admin ${command} --help`, EXIT.usage)
}

function openEmptyFolder(folder: string, home: string): void {
  if (`${folder}${sep}`.startsWith(`${home}${sep}`)) {
    throw new AdminError(`${folder} lies in the data folder. Choose a folder elsewhere, best on another disk.`)
  }
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK)
  } catch (error) {
    throw new AdminError(`${folder} can not be written by this user (${(error as NodeJS.ErrnoException).code}).`)
  }
  if (readdirSync(folder).length > 0) {
    throw new AdminError(`${folder} is not empty. Every backup goes into a folder of its own.`)
  }
  chmodSync(folder, 0o700)
}

interface Request {
  readonly installation: Installation
  readonly folder: string
  readonly say: (line: string) => void
  readonly passphrase: string | undefined
  readonly hasObjects: boolean
}

async function makeBackup({ installation, folder, say, passphrase, hasObjects }: Request): Promise<Manifest> {
  const { config, control } = installation
  const startedAt = new Date()
  const limit = isSameDisk(folder, config.home) ? config.databaseLimits.disk : 1
  const [store, copies] = [openObjectStore(config), openBackupStore(folder, limit)]
  const copied: CopiedObjects = new Map()
  const files: BackedUpFile[] = []
  if (hasObjects) {
    say('Copying files.')
    await copyObjects(store, copies, copied)
  }
  const database = await backUpDatabase({ installation, folder, say, limit, files })
  if (hasObjects) {
    // The database backup is as of now, so objects stored meanwhile belong to it.
    await copyObjects(store, copies, copied)
    files.push(await writeObjectList(folder, copied))
  }
  if (passphrase !== undefined) {
    files.push(
      await writeBackupFile(folder, SEALED_KEYS, [Readable.from([sealKeys(readKeyFiles(config.home), passphrase)])]),
    )
  }
  const { rows } = await control.pool.query<{ name: string }>(
    'select name from schema_migrations order by name desc limit 1',
  )
  const manifest: Manifest = {
    format: 1,
    trellis: program.version,
    started_at: startedAt.toISOString(),
    finished_at: new Date().toISOString(),
    platform: `${process.platform}-${process.arch}`,
    last_migration: rows[0]?.name ?? '',
    root_key_ids: await listRootKeyIds(control.db),
    database,
    objects: hasObjects ? { count: copied.size, bytes: sum([...copied.values()].map(({ size }) => size)) } : null,
    files,
  }
  await writeManifest(folder, manifest)
  return manifest
}

const isSameDisk = (folder: string, home: string) =>
  statSync(home, { throwIfNoEntry: false })?.dev === statSync(folder).dev

export function toBackupProblem(error: unknown, folder: string): unknown {
  const code = (error as { code?: string }).code ?? ''
  if (!['disk_full', 'ENOSPC', 'EDQUOT'].includes(code)) return error
  return new AdminError(`The disk of ${folder} is full. What was copied is deleted again; there is no new backup.`)
}

const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0)
const toMegabytes = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(1)} MB`

function formatBackup(
  { installation, folder, passphrase }: Request,
  { database, objects, files }: Manifest,
  elsewhere: number,
): string {
  const { rootKey, home, clusterUrl } = installation.config
  const size = sum(files.map((file) => file.size)) + (objects?.bytes ?? 0)
  const databases = database?.databases.length ?? 0
  const lines = [
    `Backup of ${home} made in ${folder}: ${databases} databases, ${objects?.count ?? 0} files, ${toMegabytes(size)}.`,
  ]
  if (!database) {
    lines.push('The databases are not in it: they are on a Postgres of your own. Back them up with its tools.')
  } else if (clusterUrl !== undefined) {
    lines.push("The workspaces' databases are not in it: back up the server of TRELLIS_CLUSTER_URL with its own tools.")
  }
  if (elsewhere > 0) {
    lines.push(
      `The databases on ${elsewhere} other clusters are not in it: trellis admin clusters list. Use their own tools.`,
    )
  }
  if (!objects) lines.push('Uploaded and exported files are not in it.')
  if (rootKey !== undefined) {
    lines.push('TRELLIS_ROOT_KEY is not in it. Keep it elsewhere: without it no stored secret can be opened.')
  } else if (passphrase === undefined) {
    lines.push(
      `The root key is not in it. Keep ${home}/keys elsewhere, or use --passphrase-file: without it no stored secret can be opened.`,
    )
  } else lines.push('The keys are in it, sealed with the passphrase. Keep the passphrase elsewhere.')
  lines.push(`Test it: trellis admin verify ${folder}`)
  return lines.join('\n')
}
