import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openRootKeys } from '../../platform/secrets/root-key.ts'
import { findUnreadableScopes } from '../../platform/secrets/secret-box.ts'
import type { Check, Finding } from './finding.ts'

const check = 'secrets'
const MAX_NAMED = 5

export const checkSecrets: Check = async ({ config, control }) => {
  // Opening the keys would create a new one, which opens nothing.
  if (config.rootKey === undefined && !existsSync(join(config.home, 'keys', 'root.key'))) {
    return [
      { check, status: 'failed', detail: `${config.home}/keys/root.key is missing. Restore it from your backup.` },
    ]
  }
  const keys = openRootKeys(config)
  const unreadable = await findUnreadableScopes(control, keys.list())
  if (unreadable.length > 0) {
    const named = unreadable.slice(0, MAX_NAMED).join(', ')
    const rest = unreadable.length > MAX_NAMED ? ', …' : ''
    return [
      { check, status: 'failed', detail: `does not open the secrets of ${unreadable.length} scopes: ${named}${rest}` },
    ]
  }
  const findings: Finding[] = [{ check, status: 'ok', detail: 'opens all stored secrets' }]
  if (keys.list().length > 1) {
    findings.push({ check, status: 'warning', detail: 'a rotation is not finished: trellis admin keys --help' })
  }
  return findings
}
