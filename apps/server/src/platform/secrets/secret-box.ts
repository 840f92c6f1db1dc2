import type { AnyDb } from '@trellis/control-db/database'
import {
  type StoredKey,
  createKey,
  deleteKeyOfScope,
  findKeyById,
  findKeyOfScope,
  listKeys,
  listRootKeyIds,
  rewrapKeys,
} from './data-keys.ts'
import { SecretProblem, decrypt, encrypt } from './envelope.ts'
import type { RootKey, RootKeys } from './root-key.ts'

export interface SecretCtx {
  readonly db: AnyDb
}

/** A sealed value can only be opened for the same place. */
export interface SecretAddress {
  /** `workspace:12`, `profile:5`, `system`; shredded as a whole. */
  scope: string
  /** E.g. `integration:31/password`. */
  field: string
}

export interface SecretBox {
  seal(ctx: SecretCtx, address: SecretAddress, plaintext: string): Promise<string>
  open(ctx: SecretCtx, address: SecretAddress, sealed: string): Promise<string>
  /** Crypto-shredding: all secrets of the scope become unreadable, also in later backups. */
  shredScope(ctx: SecretCtx, scope: string): Promise<void>
  /** A start with the wrong root key must fail before it seals anything. */
  assertRootKeyFits(ctx: SecretCtx): Promise<void>
}

const SEALED = /^v1\.([0-9a-f-]{36})\.([A-Za-z0-9_-]+)$/

export function createSecretBox(rootKeys: RootKeys): SecretBox {
  const memory = createMemory()

  async function openDataKey(storedKey: StoredKey): Promise<Buffer> {
    const remembered = memory.recall(storedKey.id)
    if (remembered) return remembered
    const root = rootKeys.list().find((rootKey) => rootKey.id === storedKey.root_key_id)
    if (!root) throw new SecretProblem('The root key that protects this secret is not configured.')
    const key = await root.unwrap(storedKey.wrapped, [storedKey.scope, storedKey.id])
    memory.remember(storedKey.id, key)
    return key
  }

  async function findAndOpen(ctx: SecretCtx, id: string): Promise<Buffer> {
    const storedKey = await findKeyById(ctx.db, id)
    if (!storedKey) throw new SecretProblem('The key of this secret was destroyed.')
    return await openDataKey(storedKey)
  }

  return {
    seal: async (ctx, address, plaintext) => {
      // Not cached: a value sealed with a shredded key would be lost.
      const storedKey =
        (await findKeyOfScope(ctx.db, address.scope)) ?? (await createKey(ctx.db, address.scope, rootKeys.current()))
      const key = await openDataKey(storedKey)
      const sealed = encrypt({ key, bound: toAdditionalData(address, storedKey.id) }, Buffer.from(plaintext, 'utf8'))
      return `v1.${storedKey.id}.${sealed.toString('base64url')}`
    },
    open: async (ctx, address, sealed) => {
      const [, id, body] = SEALED.exec(sealed) ?? []
      if (!id || !body) throw new SecretProblem('The sealed value is not in a form this version can read.')
      const key = memory.recall(id) ?? (await findAndOpen(ctx, id))
      return decrypt({ key, bound: toAdditionalData(address, id) }, Buffer.from(body, 'base64url')).toString('utf8')
    },
    shredScope: async (ctx, scope) => {
      const storedKey = await findKeyOfScope(ctx.db, scope)
      await deleteKeyOfScope(ctx.db, scope)
      if (storedKey) memory.forget(storedKey.id)
    },
    assertRootKeyFits: async (ctx) => await assertRootKeysFit(ctx, rootKeys.list()),
  }
}

export async function assertRootKeysFit(ctx: SecretCtx, rootKeys: readonly RootKey[]): Promise<void> {
  const known = new Set(rootKeys.map((root) => root.id))
  const strange = (await listRootKeyIds(ctx.db)).filter((id) => !known.has(id))
  if (strange.length === 0) return
  throw new SecretProblem(
    'The root key is not the one that stored secrets were sealed with. Restore keys/root.key or TRELLIS_ROOT_KEY as it was.',
  )
}

/** Tries every data key; returns scopes that cannot be opened. */
export async function findUnreadableScopes(ctx: SecretCtx, rootKeys: readonly RootKey[]): Promise<string[]> {
  const unreadable: string[] = []
  for (const storedKey of await listKeys(ctx.db)) {
    const root = rootKeys.find((rootKey) => rootKey.id === storedKey.root_key_id)
    const opened = await root?.unwrap(storedKey.wrapped, [storedKey.scope, storedKey.id]).catch(() => undefined)
    if (!opened) unreadable.push(storedKey.scope)
  }
  return unreadable
}

/** Re-wraps data keys; secrets stay as they are. Idempotent. */
export async function rotateRootKey(ctx: SecretCtx, keys: { from: RootKey; to: RootKey }): Promise<number> {
  let total = 0
  for (;;) {
    const count = await rewrapKeys(ctx.db, keys, 200)
    if (count === 0) return total
    total += count
  }
}

function toAdditionalData(address: SecretAddress, dataKeyId: string): string[] {
  return ['secret', address.scope, address.field, dataKeyId]
}

const REMEMBERED_MS = 60_000
const REMEMBERED_KEYS = 500

/** Cached for a minute, within which another process's shredding takes effect. */
function createMemory() {
  const opened = new Map<string, { key: Buffer; until: number }>()
  return {
    recall: (id: string): Buffer | undefined => {
      const found = opened.get(id)
      if (found && found.until > Date.now()) return found.key
      opened.delete(id)
      return undefined
    },
    remember: (id: string, key: Buffer): void => {
      if (opened.size >= REMEMBERED_KEYS) opened.clear()
      opened.set(id, { key, until: Date.now() + REMEMBERED_MS })
    },
    forget: (id: string): void => void opened.delete(id),
  }
}
