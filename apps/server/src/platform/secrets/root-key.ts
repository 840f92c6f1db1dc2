import { createHash, hkdfSync } from 'node:crypto'
import { SecretProblem, decrypt, encrypt } from './envelope.ts'
import { loadOrCreateKey } from './key-files.ts'

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

/** The root key of this installation: TRELLIS_ROOT_KEY when given, else a file made at the first start. */
export function openRootKey(options: { rootKey: string | undefined; home: string }): RootKey {
  if (options.rootKey === undefined) return localRootKey(loadOrCreateKey(options.home, 'root'))
  const text = options.rootKey.trim()
  const secret = Buffer.from(text, 'base64')
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text) || secret.length !== 32) {
    throw new SecretProblem(
      'TRELLIS_ROOT_KEY must be 32 random bytes in base64. Make one with: openssl rand -base64 32',
    )
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
