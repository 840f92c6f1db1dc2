import type { ControlDb } from '@trellis/control-db/database'
import { loadOrCreateKey, promoteKey, removeKey } from '../platform/secrets/key-files.ts'
import { NEXT_KEY, PREVIOUS_KEY, ROOT_KEY, localRootKey, openRootKeys } from '../platform/secrets/root-key.ts'
import { assertRootKeysFit, rotateRootKey } from '../platform/secrets/secret-box.ts'
import { AdminError, EXIT } from './admin-error.ts'
import type { AdminCommand } from './command.ts'
import { openExistingKeys } from './open-secrets.ts'

/** Arbitrary, but the same in every process. */
const ROTATE_LOCK = 7_305_212

const SETTING_STEPS = `The root key comes from TRELLIS_ROOT_KEY. To replace it:
  1. Make a new key: openssl rand -base64 32
  2. On every machine set TRELLIS_ROOT_KEY to the new key and TRELLIS_ROOT_KEY_PREVIOUS to the old one, and restart.
  3. Run this command again with both set.
  4. Remove TRELLIS_ROOT_KEY_PREVIOUS and restart.`

export async function rotateKeys(command: AdminCommand): Promise<number> {
  const { installation, flags } = command
  const { config } = installation
  openExistingKeys(config)
  return await withRotateLock(installation.control, async () => {
    await assertRootKeysFit(installation.control, openRootKeys(config).list())
    if (config.rootKey !== undefined) return await rotateToSetting(command)
    return flags.finish === true ? await finish(command) : await rotateFile(command)
  })
}

/** Both keys are in the settings, so every process can unwrap with either. */
async function rotateToSetting({ installation, flags, show }: AdminCommand): Promise<number> {
  const [to, from] = openRootKeys(installation.config).list()
  if (!to || !from) throw new AdminError(SETTING_STEPS, EXIT.usage)
  if (flags.finish) throw new AdminError('Remove TRELLIS_ROOT_KEY_PREVIOUS from the settings instead.', EXIT.usage)
  const count = await rotateRootKey(installation.control, { from, to })
  await installation.audit({ action: 'rootKeyRotated', outcome: 'done', detail: { to: to.id, data_keys: count } })
  const text = `${count} data keys are protected by the new root key. Remove TRELLIS_ROOT_KEY_PREVIOUS and restart.`
  show({ data_keys: count, root_key_id: to.id, is_finished: true }, text)
  return EXIT.ok
}

/**
 * The next key is on disk before it wraps anything, and running processes find it there. After an interruption every
 * data key can be unwrapped, and the next call continues.
 */
async function rotateFile({ installation, show }: AdminCommand): Promise<number> {
  const { control, config } = installation
  await rewrapAndRemovePreviousKey(installation)
  const from = openRootKeys(config).current()
  const to = localRootKey(loadOrCreateKey(config.home, NEXT_KEY))
  let count = await rotateRootKey(control, { from, to })
  promoteKey(config.home, { from: NEXT_KEY, to: ROOT_KEY, keepAs: PREVIOUS_KEY })
  // Data keys created by running processes meanwhile.
  count += await rotateRootKey(control, { from, to })
  await installation.audit({
    action: 'rootKeyRotated',
    outcome: 'done',
    detail: { from: from.id, to: to.id, data_keys: count },
  })
  const text = `${count} data keys are protected by the new root key in ${config.home}/keys/root.key.
Trellis needs no restart. Back up the new key, then delete the previous one: trellis admin keys rotate --finish`
  show({ data_keys: count, root_key_id: to.id, is_finished: false }, text)
  return EXIT.ok
}

async function finish({ installation, show }: AdminCommand): Promise<number> {
  const removed = await rewrapAndRemovePreviousKey(installation)
  const text = removed ? 'The previous root key is deleted.' : 'There is no previous root key.'
  show({ is_finished: true, is_removed: removed }, text)
  return EXIT.ok
}

/** Wraps data keys of the previous root key with the current one, then deletes it. False if there was none to remove. */
async function rewrapAndRemovePreviousKey(installation: AdminCommand['installation']): Promise<boolean> {
  const { control, config } = installation
  const keys = openRootKeys(config)
  const from = keys.previous()
  const to = keys.current()
  if (!from) return false
  // If interrupted before the switch, the previous key is still the current one.
  if (from.id !== to.id) await rotateRootKey(control, { from, to })
  removeKey(config.home, PREVIOUS_KEY)
  if (from.id === to.id) return false
  await installation.audit({ action: 'rootKeyRemoved', outcome: 'done', detail: { root_key_id: from.id } })
  return true
}

/** Also taken by backups: keys and data must match. */
export async function withRotateLock<T>(control: ControlDb, work: () => Promise<T>): Promise<T> {
  const client = await control.pool.connect()
  try {
    const { rows } = await client.query<{ ok: boolean }>('select pg_try_advisory_lock($1) as ok', [ROTATE_LOCK])
    if (!rows[0]?.ok)
      throw new AdminError('The root key is being rotated, or a backup is being made. Try again when that is done.')
    return await work()
  } finally {
    client.release(true)
  }
}
