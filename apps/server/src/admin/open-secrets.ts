import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT_KEY, type RootKeys, openRootKeys } from '../platform/secrets/root-key.ts'
import type { Config } from '../platform/config.ts'
import { AdminError } from './admin-error.ts'

/** Opening the keys would create a missing one, which opens nothing. */
export function openExistingKeys(config: Config): RootKeys {
  if (config.rootKey === undefined && !existsSync(join(config.home, 'keys', `${ROOT_KEY}.key`))) {
    throw new AdminError(`${config.home}/keys/root.key is missing. Restore it from your backup.`)
  }
  return openRootKeys(config)
}
