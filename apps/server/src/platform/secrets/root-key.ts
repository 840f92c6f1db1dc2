import { createHash, hkdfSync } from 'node:crypto'
import { SecretProblem, decrypt, encrypt } from './envelope.ts'
import { findKey, loadOrCreateKey } from './key-files.ts'

/** Wraps data keys. Asynchronous, to allow for a KMS. */
export interface RootKey {
  readonly id: string
  wrap(dataKey: Buffer, bound: readonly string[]): Promise<Buffer>
  unwrap(wrapped: Buffer, bound: readonly string[]): Promise<Buffer>
}

export function localRootKey(secret: Buffer): RootKey {
  assertStrong(secret)
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'trellis/wrap-data-keys', 32))
  const id = createHash('sha256').update('trellis/root-key-id').update(secret).digest('hex').slice(0, 16)
  return {
    id,
    wrap: async (dataKey, bound) => encrypt({ key, bound: ['data-key', id, ...bound] }, dataKey),
    unwrap: async (wrapped, bound) => decrypt({ key, bound: ['data-key', id, ...bound] }, wrapped),
  }
}

/** `current` wraps new data keys; the others only unwrap. */
export interface RootKeys {
  current(): RootKey
  previous(): RootKey | undefined
  list(): RootKey[]
}

export const ROOT_KEY = 'root'
export const NEXT_KEY = 'root-next'
export const PREVIOUS_KEY = 'root-previous'

interface RootKeySettings {
  rootKey: string | undefined
  previousRootKey: string | undefined
  home: string
}

/** TRELLIS_ROOT_KEY or key files. Files are read on every call, so that running processes notice a rotation. */
export function openRootKeys({ rootKey, previousRootKey, home }: RootKeySettings): RootKeys {
  if (rootKey !== undefined) {
    const previous = previousRootKey === undefined ? [] : [parseRootKey('TRELLIS_ROOT_KEY_PREVIOUS', previousRootKey)]
    return fixedRootKeys(parseRootKey('TRELLIS_ROOT_KEY', rootKey), ...previous)
  }
  const current = () => localRootKey(loadOrCreateKey(home, ROOT_KEY))
  const find = (name: string) => [findKey(home, name)].flatMap((key) => (key ? [localRootKey(key)] : []))
  current()
  return {
    current,
    previous: () => find(PREVIOUS_KEY)[0],
    list: () => [current(), ...find(NEXT_KEY), ...find(PREVIOUS_KEY)],
  }
}

export function fixedRootKeys(current: RootKey, ...older: RootKey[]): RootKeys {
  return { current: () => current, previous: () => older[0], list: () => [current, ...older] }
}

function parseRootKey(setting: string, given: string): RootKey {
  const text = given.trim()
  const secret = Buffer.from(text, 'base64')
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text) || secret.length !== 32) {
    throw new SecretProblem(`${setting} must be 32 random bytes in base64. Make one with: openssl rand -base64 32`)
  }
  return localRootKey(secret)
}

/** Rejects typed keys; a random one fails with a probability below 10^-13. */
function assertStrong(secret: Buffer): void {
  const isText = secret.every((byte) => byte >= 0x20 && byte < 0x7f)
  if (secret.length !== 32 || new Set(secret).size < 16 || isText) {
    throw new SecretProblem(
      'The root key is too weak: it must be 32 random bytes. Make one with: openssl rand -base64 32',
    )
  }
}
