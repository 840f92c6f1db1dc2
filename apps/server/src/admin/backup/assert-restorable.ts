import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { readMigrations } from '@trellis/control-db/migrate'
import { readEngineVersion } from '@trellis/embedded/postgres/binaries'
import type { Config } from '../../platform/config.ts'
import { findKey } from '../../platform/secrets/key-files.ts'
import { NEXT_KEY, PREVIOUS_KEY, ROOT_KEY, localRootKey, openRootKeys } from '../../platform/secrets/root-key.ts'
import { AdminError } from '../admin-error.ts'
import { type Manifest, SEALED_KEYS } from './manifest.ts'
import { type KeyFiles, openSealedKeys } from './sealed-keys.ts'

export async function assertSupported({ database, platform, last_migration, trellis }: Manifest): Promise<void> {
  const known = (await readMigrations()).map(({ name }) => name)
  if (last_migration !== '' && !known.includes(last_migration)) {
    throw new AdminError(
      `This backup was made by a newer Trellis (${trellis}, migration ${last_migration}). Restore it with that version.`,
    )
  }
  if (!database) return
  const here = `${process.platform}-${process.arch}`
  if (platform !== here) {
    throw new AdminError(`This backup was made on ${platform} and cannot be restored on ${here}.`)
  }
  const [made, own] = [database.postgres, readEngineVersion()].map((version) => version.split('.')[0])
  if (made !== own) {
    throw new AdminError(
      `This backup was made with PostgreSQL ${made}, and this version of Trellis has ${own}. Restore it with Trellis ${trellis}.`,
    )
  }
}

export async function assertRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize > bytes) return
  const toGigabytes = (count: number) => (count / 1024 ** 3).toFixed(1)
  throw new AdminError(
    `There is not enough room in ${folder}: the backup needs ${toGigabytes(bytes)} GB, and ${toGigabytes(bavail * bsize)} GB are free.`,
  )
}

interface KeySource {
  readonly folder: string
  readonly manifest: Manifest
  readonly config: Config
  readonly passphraseFile: string | undefined
}

export function findFittingKeys({ folder, manifest, config, passphraseFile }: KeySource): KeyFiles {
  const hasSealed = manifest.files.some(({ path }) => path === SEALED_KEYS)
  if (hasSealed && passphraseFile !== undefined) {
    const keys = openSealedKeys(folder, passphraseFile)
    if (config.rootKey !== undefined) assertFit(manifest, listOwnIds(config))
    return keys
  }
  if (passphraseFile !== undefined) {
    throw new AdminError(
      'This backup holds no keys, so it needs no passphrase. Put keys/root.key of its time in place.',
    )
  }
  if (config.rootKey === undefined && !existsSync(join(config.home, 'keys', 'root.key'))) {
    throw new AdminError(
      hasSealed
        ? 'The keys of this backup are sealed. Name the file with its passphrase: --passphrase-file <file>'
        : `This backup holds no keys. Put the root key of its time in ${config.home}/keys/root.key, or set TRELLIS_ROOT_KEY, and restore again.`,
    )
  }
  assertFit(manifest, listOwnIds(config))
  return {}
}

/** Must not create new keys, which open nothing. */
function listOwnIds(config: Config): string[] {
  if (config.rootKey !== undefined)
    return openRootKeys(config)
      .list()
      .map(({ id }) => id)
  return [ROOT_KEY, NEXT_KEY, PREVIOUS_KEY].flatMap((name) => {
    const key = findKey(config.home, name)
    return key ? [localRootKey(key).id] : []
  })
}

function assertFit({ root_key_ids }: Manifest, ids: readonly string[]): void {
  if (root_key_ids.every((id) => ids.includes(id))) return
  throw new AdminError(
    'The root key is not the one of this backup: it would not open the stored secrets. Use the key of the time of the backup.',
  )
}
