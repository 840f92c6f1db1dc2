import type { AccessToken, TokenScope } from '@trellis/contract/tokens/tokens.endpoints'
import type { Db } from '@trellis/control-db/database'
import type { PlatformAccountTables } from '@trellis/control-db/tables/accounts'
import { type Insertable, type Selectable, sql } from 'kysely'

type WithDb = { readonly db: Db }
type Row = Selectable<PlatformAccountTables['access_tokens']>

const toToken = (row: Row): AccessToken => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  scopes: row.scopes as TokenScope[],
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at?.toISOString() ?? null,
  last_used_at: row.last_used_at?.toISOString() ?? null,
  resource: row.resource,
})

export async function findTokens({ db }: WithDb, profileId: number): Promise<AccessToken[]> {
  const rows = await db
    .selectFrom('access_tokens')
    .selectAll()
    .where('profile_id', '=', profileId)
    .where('revoked_at', 'is', null)
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map((row) => toToken(row))
}

export async function countTokens({ db }: WithDb, profileId: number): Promise<number> {
  const row = await db
    .selectFrom('access_tokens')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('profile_id', '=', profileId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.count
}

export async function insertToken(
  { db }: WithDb,
  row: Insertable<PlatformAccountTables['access_tokens']>,
): Promise<AccessToken> {
  return toToken(await db.insertInto('access_tokens').values(row).returningAll().executeTakeFirstOrThrow())
}

export async function revokeToken({ db }: WithDb, about: { id: number; profileId: number }): Promise<boolean> {
  const done = await db
    .updateTable('access_tokens')
    .set({ revoked_at: sql`now()` })
    .where('id', '=', about.id)
    .where('profile_id', '=', about.profileId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return done.numUpdatedRows === 1n
}

export async function revokeAllTokens({ db }: WithDb, profileId: number): Promise<void> {
  await db
    .updateTable('access_tokens')
    .set({ revoked_at: sql`now()` })
    .where('profile_id', '=', profileId)
    .where('revoked_at', 'is', null)
    .execute()
}
