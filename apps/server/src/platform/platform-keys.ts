import { type KeyObject, createPrivateKey, hkdfSync } from 'node:crypto'
import type { Config } from './config.ts'
import { loadOrCreateKey, loadOrCreateSigningKey } from './secrets/key-files.ts'

const ED25519_PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

export interface PlatformKeys {
  tokenKey: KeyObject
  pepper: Buffer
}

/** TRELLIS_ROOT_KEY lets several machines share keys; otherwise key files are created. */
export function openPlatformKeys(config: Pick<Config, 'rootKey' | 'home'>): PlatformKeys {
  if (config.rootKey === undefined) {
    return { tokenKey: loadOrCreateSigningKey(config.home, 'tokens'), pepper: loadOrCreateKey(config.home, 'pepper') }
  }
  const root = Buffer.from(config.rootKey.trim(), 'base64')
  const derive = (name: string) => Buffer.from(hkdfSync('sha256', root, '', `trellis/${name}`, 32))
  const der = Buffer.concat([ED25519_PKCS8_PREFIX, derive('token-signing')])
  return { tokenKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }), pepper: derive('pepper') }
}
