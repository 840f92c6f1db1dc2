import type { Db } from '@trellis/control-db/database'
import type { PlatformAccountTables } from '@trellis/control-db/tables/accounts'
import { type Insertable, type Selectable, sql } from 'kysely'

type WithDb = { readonly db: Db }
type ClientRow = Selectable<PlatformAccountTables['oauth_clients']>
export type CodeRow = Selectable<PlatformAccountTables['oauth_codes']>

/** Registration is open to anyone, so unused clients are deleted. */
export async function deleteUnusedClients({ db }: WithDb): Promise<void> {
  await db
    .deleteFrom('oauth_codes')
    .where('expires_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute()
  await db
    .deleteFrom('oauth_clients')
    .where('created_at', '<', sql<Date>`now() - interval '90 days'`)
    .execute()
}

export async function insertClient(
  { db }: WithDb,
  row: Insertable<PlatformAccountTables['oauth_clients']>,
): Promise<void> {
  await db.insertInto('oauth_clients').values(row).execute()
}

export async function findClient({ db }: WithDb, clientId: string): Promise<ClientRow | undefined> {
  return await db.selectFrom('oauth_clients').selectAll().where('client_id', '=', clientId).executeTakeFirst()
}

export async function insertCode({ db }: WithDb, row: Insertable<PlatformAccountTables['oauth_codes']>): Promise<void> {
  await db.insertInto('oauth_codes').values(row).execute()
}

export async function useCode({ db }: WithDb, hash: Buffer, now: Date): Promise<CodeRow | undefined> {
  return await db
    .updateTable('oauth_codes')
    .set({ used_at: now })
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()
}

export async function setCodeToken({ db }: WithDb, hash: Buffer, tokenId: number): Promise<void> {
  await db.updateTable('oauth_codes').set({ token_id: tokenId }).where('code_hash', '=', hash).execute()
}

/** On reuse, the code's token is revoked. */
export async function revokeTokenOfCode({ db }: WithDb, hash: Buffer): Promise<void> {
  await db
    .updateTable('access_tokens')
    .set({ revoked_at: sql`now()` })
    .where('id', 'in', (query) => query.selectFrom('oauth_codes').select('token_id').where('code_hash', '=', hash))
    .where('revoked_at', 'is', null)
    .execute()
}

/** Agents' tokens only: other tokens must not be revocable here. */
export async function revokeAgentToken({ db }: WithDb, hash: Buffer): Promise<void> {
  await db
    .updateTable('access_tokens')
    .set({ revoked_at: sql`now()` })
    .where('secret_hash', '=', hash)
    .where('resource', 'is not', null)
    .where('revoked_at', 'is', null)
    .execute()
}
