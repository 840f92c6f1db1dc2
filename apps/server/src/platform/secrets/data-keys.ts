import { randomBytes, randomUUID } from 'node:crypto'
import { type AnyDb, platformTables } from '@trellis/control-db/database'
import { SecretProblem } from './envelope.ts'
import type { RootKey } from './root-key.ts'

export interface StoredKey {
  id: string
  scope: string
  root_key_id: string
  wrapped: Buffer
}

const COLUMNS = ['id', 'scope', 'root_key_id', 'wrapped'] as const

export async function findKeyOfScope(db: AnyDb, scope: string): Promise<StoredKey | undefined> {
  return await platformTables({ db })
    .selectFrom('data_keys')
    .select(COLUMNS)
    .where('scope', '=', scope)
    .executeTakeFirst()
}

export async function findKeyById(db: AnyDb, id: string): Promise<StoredKey | undefined> {
  return await platformTables({ db }).selectFrom('data_keys').select(COLUMNS).where('id', '=', id).executeTakeFirst()
}

export async function createKey(db: AnyDb, scope: string, root: RootKey): Promise<StoredKey> {
  const id = randomUUID()
  const wrapped = await root.wrap(randomBytes(32), [scope, id])
  await platformTables({ db })
    .insertInto('data_keys')
    .values({ id, scope, root_key_id: root.id, wrapped })
    .onConflict((conflict) => conflict.column('scope').doNothing())
    .execute()
  const storedKey = await findKeyOfScope(db, scope)
  if (!storedKey) throw new SecretProblem('The data key was removed while it was being made.')
  return storedKey
}

export async function deleteKeyOfScope(db: AnyDb, scope: string): Promise<void> {
  await platformTables({ db }).deleteFrom('data_keys').where('scope', '=', scope).execute()
}

export async function listKeys(db: AnyDb): Promise<StoredKey[]> {
  return await platformTables({ db }).selectFrom('data_keys').select(COLUMNS).orderBy('scope').execute()
}

export async function listRootKeyIds(db: AnyDb): Promise<string[]> {
  const rows = await platformTables({ db }).selectFrom('data_keys').select('root_key_id').distinct().execute()
  return rows.map((row) => row.root_key_id)
}

/** One statement per key, so that an interruption leaves every key readable. */
export async function rewrapKeys(db: AnyDb, keys: { from: RootKey; to: RootKey }, limit: number): Promise<number> {
  const { from, to } = keys
  const rows = await platformTables({ db })
    .selectFrom('data_keys')
    .select(COLUMNS)
    .where('root_key_id', '=', from.id)
    .orderBy('id')
    .limit(limit)
    .execute()
  for (const row of rows) {
    const bound = [row.scope, row.id]
    const wrapped = await to.wrap(await from.unwrap(row.wrapped, bound), bound)
    await platformTables({ db })
      .updateTable('data_keys')
      .set({ wrapped, root_key_id: to.id, wrapped_at: new Date() })
      .where('id', '=', row.id)
      .where('root_key_id', '=', from.id)
      .execute()
  }
  return rows.length
}
