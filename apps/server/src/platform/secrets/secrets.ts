import {
  type DataKey,
  type SecretDb,
  type SecretScope,
  createKey,
  deleteKeyOfScope,
  findKeyById,
  findKeyOfScope,
  listRootKeyIds,
  rewrapKeys,
} from './data-keys.ts'
import { SecretProblem, decrypt, encrypt } from './envelope.ts'
import type { RootKey } from './root-key.ts'

export type { SecretScope } from './data-keys.ts'

/** The port: the root keys that open data keys (the first one wraps new ones) and a short memory of opened data keys. */
export interface Secrets {
  readonly rootKeys: readonly [RootKey, ...RootKey[]]
  readonly opened: Map<string, { key: Buffer; until: number }>
}

export interface SecretsCtx {
  readonly db: SecretDb
  readonly ports: { readonly secrets: Secrets }
}

/** Where a secret lives. A sealed value opens only for the very same place. */
export interface SecretPlace {
  scope: SecretScope
  /** For example `integration:31/password`. */
  field: string
}

const REMEMBERED_MS = 60_000
const REMEMBERED_KEYS = 500
const SEALED = /^v1\.([0-9a-f-]{36})\.([A-Za-z0-9_-]+)$/

export function createSecrets(current: RootKey, ...older: RootKey[]): Secrets {
  return { rootKeys: [current, ...older], opened: new Map() }
}

/** The text to store. Nothing in it tells the value; the value can't be read without the root key. */
export async function seal(ctx: SecretsCtx, place: SecretPlace, plaintext: string): Promise<string> {
  const { rootKeys } = ctx.ports.secrets
  // Asked every time: a value sealed with a key that was shredded meanwhile would be lost.
  const stored = (await findKeyOfScope(ctx.db, place.scope)) ?? (await createKey(ctx.db, place.scope, rootKeys[0]))
  const { id, key } = await openDataKey(ctx, stored)
  const sealed = encrypt({ key, bound: bindingOf(place, id) }, Buffer.from(plaintext, 'utf8'))
  return `v1.${id}.${sealed.toString('base64url')}`
}

export async function open(ctx: SecretsCtx, place: SecretPlace, sealed: string): Promise<string> {
  const [, id, body] = SEALED.exec(sealed) ?? []
  if (!id || !body) throw new SecretProblem('The sealed value is not in a form this version can read.')
  const remembered = recall(ctx.ports.secrets, id)
  const key = remembered ?? (await findAndOpen(ctx, id))
  return decrypt({ key, bound: bindingOf(place, id) }, Buffer.from(body, 'base64url')).toString('utf8')
}

/** Every secret of the scope becomes unreadable for good, in backups made from now on too. */
export async function shredScope(ctx: SecretsCtx, scope: SecretScope): Promise<void> {
  const stored = await findKeyOfScope(ctx.db, scope)
  await deleteKeyOfScope(ctx.db, scope)
  if (stored) ctx.ports.secrets.opened.delete(stored.id)
}

/** Wraps every data key with the new root key. Secrets themselves stay as they are; safe to repeat after a stop. */
export async function rotateRootKey(ctx: SecretsCtx, keys: { from: RootKey; to: RootKey }): Promise<number> {
  let total = 0
  for (;;) {
    const count = await rewrapKeys(ctx.db, keys, 200)
    if (count === 0) return total
    total += count
  }
}

/** A start with the wrong root key must stop before it writes secrets nobody can open together with the old ones. */
export async function assertRootKeyFits(ctx: SecretsCtx): Promise<void> {
  const known = new Set(ctx.ports.secrets.rootKeys.map((root) => root.id))
  const strange = (await listRootKeyIds(ctx.db)).filter((id) => !known.has(id))
  if (strange.length === 0) return
  throw new SecretProblem(
    'The root key is not the one that stored secrets were sealed with. Restore keys/root.key or TRELLIS_ROOT_KEY as it was.',
  )
}

async function findAndOpen(ctx: SecretsCtx, id: string): Promise<Buffer> {
  const stored = await findKeyById(ctx.db, id)
  if (!stored) throw new SecretProblem('The key of this secret was destroyed.')
  return (await openDataKey(ctx, stored)).key
}

async function openDataKey(
  ctx: SecretsCtx,
  stored: { id: string; scope: string; root_key_id: string; wrapped: Buffer },
): Promise<DataKey> {
  const { secrets } = ctx.ports
  const remembered = recall(secrets, stored.id)
  if (remembered) return { id: stored.id, key: remembered }
  const root = secrets.rootKeys.find((one) => one.id === stored.root_key_id)
  if (!root) throw new SecretProblem('The root key that protects this secret is not configured.')
  const key = await root.unwrap(stored.wrapped, [stored.scope, stored.id])
  if (secrets.opened.size >= REMEMBERED_KEYS) secrets.opened.clear()
  secrets.opened.set(stored.id, { key, until: Date.now() + REMEMBERED_MS })
  return { id: stored.id, key }
}

function recall(secrets: Secrets, id: string): Buffer | undefined {
  const found = secrets.opened.get(id)
  if (found && found.until > Date.now()) return found.key
  secrets.opened.delete(id)
  return undefined
}

function bindingOf(place: SecretPlace, dataKeyId: string): string[] {
  return ['secret', place.scope, place.field, dataKeyId]
}
