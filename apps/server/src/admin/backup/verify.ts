import { chmodSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withDatabase } from '@trellis/control-db/prepare'
import { type TableRows, readRows } from '@trellis/embedded/backup/read-rows'
import type { Config } from '../../platform/config.ts'
import { openRootKeys } from '../../platform/secrets/root-key.ts'
import { AdminError, EXIT } from '../admin-error.ts'
import { type Finding, formatFinding } from '../check/finding.ts'
import type { OfflineCommand } from '../command.ts'
import { type Installation, withInstallation } from '../open-installation.ts'
import { assertRoom, assertSupported } from './assert-restorable.ts'
import { readFolder } from './backup.ts'
import { checkFiles, checkParts } from './check-parts.ts'
import { restoreDatabase } from './database.ts'
import { type Manifest, OBJECTS, SEALED_KEYS, readManifest } from './manifest.ts'
import { openSealedKeys, readKeyFiles } from './sealed-keys.ts'

/** Restores to a temporary folder, then checks all bytes, rows, keys and files. */
export async function verifyBackup({ config, args, flags, say, show }: OfflineCommand): Promise<number> {
  const folder = readFolder(args, 'verify')
  const manifest = readManifest(folder)
  await assertSupported(manifest)
  say('Checking the files of the backup.')
  await checkFiles(folder, manifest)
  const findings: Finding[] = [
    {
      check: 'backup',
      status: 'ok',
      detail: `made ${manifest.finished_at} by Trellis ${manifest.trellis}, every file is as it was written`,
    },
  ]
  const tables: TableRows[] = []
  const passphraseFile = flags['passphrase-file']
  if (manifest.database) {
    findings.push(...(await tryRestore({ folder, manifest, config, passphraseFile, say }, tables)))
  } else {
    findings.push({ check: 'database', status: 'warning', detail: 'not in this backup, so not verified' })
  }
  const isOk = findings.every(({ status }) => status !== 'failed')
  show({ is_ok: isOk, findings, tables }, findings.map(formatFinding).join('\n'))
  return isOk ? EXIT.ok : EXIT.failed
}

type TrialKeys = Pick<Config, 'rootKey' | 'previousRootKey'>

const NO_SERVICES = {
  databaseUrl: undefined,
  databaseDirectUrl: undefined,
  databaseOwnerUrl: undefined,
  clusterUrl: undefined,
  s3: undefined,
}

interface Trial {
  readonly folder: string
  readonly manifest: Manifest
  readonly config: Config
  readonly passphraseFile: string | undefined
  readonly say: (line: string) => void
}

async function tryRestore(trial: Trial, tables: TableRows[]): Promise<Finding[]> {
  const { folder, manifest, say } = trial
  const keys = findTrialKeys(trial)
  const home = mkdtempSync(join(tmpdir(), 'trellis-verify-'))
  let server = home
  try {
    // As root, the database's user must be able to traverse it.
    chmodSync(home, 0o711)
    await assertRoom(home, manifest.database?.bytes ?? 0)
    say(`Restoring the databases in ${home}.`)
    server = (await restoreDatabase(folder, { home, say })).folder
    if (manifest.objects) symlinkSync(join(folder, OBJECTS), join(home, OBJECTS))
    const config = { ...trial.config, ...keys, home, ...NO_SERVICES }
    return await withInstallation({ config, say: () => {} }, async (installation) => {
      tables.push(...(await readAllRows(installation)))
      const parts = await checkParts(installation, {
        hasKeys: keys !== undefined,
        hasObjects: manifest.objects !== null,
      })
      return [summarize(tables), ...parts]
    })
  } finally {
    for (const place of [home, server]) rmSync(place, { recursive: true, force: true })
  }
}

/** In memory only. Undefined if the backup's key is not available. */
function findTrialKeys({ folder, manifest, config, passphraseFile }: Trial): TrialKeys | undefined {
  const isSealed = manifest.files.some(({ path }) => path === SEALED_KEYS)
  if (passphraseFile !== undefined && !isSealed)
    throw new AdminError('This backup holds no keys, so it needs no passphrase.')
  const files = passphraseFile === undefined ? readKeyFiles(config.home) : openSealedKeys(folder, passphraseFile)
  const found =
    config.rootKey === undefined
      ? { rootKey: files['root.key'], previousRootKey: files['root-previous.key'] ?? files['root-next.key'] }
      : { rootKey: config.rootKey, previousRootKey: config.previousRootKey }
  if (found.rootKey === undefined) return undefined
  const ids = openRootKeys({ ...found, home: config.home })
    .list()
    .map(({ id }) => id)
  return manifest.root_key_ids.every((id) => ids.includes(id)) ? found : undefined
}

async function readAllRows({ control, builtIn }: Installation): Promise<TableRows[]> {
  const { rows } = await control.pool.query<{ name: string }>(
    'select datname as name from pg_database where datallowconn and not datistemplate order by datname',
  )
  const tables: TableRows[] = []
  for (const { name } of rows) tables.push(...(await readRows(withDatabase(builtIn?.url ?? '', name))))
  return tables
}

function summarize(tables: readonly TableRows[]): Finding {
  const rows = tables.reduce((total, table) => total + table.rows, 0)
  const databases = new Set(tables.map(({ database }) => database)).size
  return {
    check: 'database',
    status: 'ok',
    detail: `starts; all ${rows} rows in ${tables.length} tables of ${databases} databases were read`,
  }
}
