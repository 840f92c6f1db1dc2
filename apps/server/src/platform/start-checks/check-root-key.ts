import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SecretProblem } from '../secrets/envelope.ts'
import { ROOT_KEY, openRootKeys } from '../secrets/root-key.ts'
import { createSecretBox } from '../secrets/secret-box.ts'
import { type StartCheck, fail, passCheck } from './start-check.ts'

export const checkRootKey: StartCheck = async ({ config, control }) => {
  const file = join(config.home, 'keys', `${ROOT_KEY}.key`)
  // Opening the keys would create a new one, which opens nothing.
  if (config.rootKey === undefined && !existsSync(file)) {
    return fail(`${file} is missing, so stored secrets can't be opened`, 'Restore it from your backup.')
  }
  try {
    await createSecretBox(openRootKeys(config)).assertRootKeyFits(control)
    return passCheck('fits the stored secrets')
  } catch (error) {
    if (!(error instanceof SecretProblem)) throw error
    return fail(
      'The root key does not open the stored secrets',
      'Set TRELLIS_ROOT_KEY, or keys/root.key in the data folder, as it was; it is the same on every machine.',
    )
  }
}
