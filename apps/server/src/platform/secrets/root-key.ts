import { createHash, hkdfSync } from 'node:crypto'
import { SecretProblem, decrypt, encrypt } from './envelope.ts'
import { findKey, loadOrCreateKey } from './key-files.ts'

/** Wraps data keys. The local one holds its key in memory; one backed by a key service would call out, hence the promises. */
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

/** The key that wraps new data keys, and those that only open older ones. */
export interface RootKeys {
  current(): RootKey
  /** Replaced, and not yet deleted. */
  previous(): RootKey | undefined
  /** The current one first. */
  list(): RootKey[]
}

/** File names in `keys/` while the root key is being replaced. */
export const ROOT_KEY = 'root'
export const NEXT_KEY = 'root-next'
export const PREVIOUS_KEY = 'root-previous'

interface RootKeySettings {
  rootKey: string | undefined
  previousRootKey: string | undefined
  home: string
}

/**
 * TRELLIS_ROOT_KEY when given, else a file made at the first start. Files are read at every call: a running process
 * must open what was wrapped with a key that came after its start.
 */
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

/** A key somebody typed instead of drew. A random one fails this less than once in 10^13 draws. */
function assertStrong(secret: Buffer): void {
  const isText = secret.every((byte) => byte >= 0x20 && byte < 0x7f)
  if (secret.length !== 32 || new Set(secret).size < 16 || isText) {
    throw new SecretProblem(
      'The root key is too weak: it must be 32 random bytes. Make one with: openssl rand -base64 32',
    )
  }
}
