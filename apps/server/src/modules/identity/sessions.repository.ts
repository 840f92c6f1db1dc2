import type { Db } from '@trellis/control-db/database'
import type { IdentityTables } from '@trellis/control-db/tables/identity'
import { type Insertable, type Selectable, sql } from 'kysely'

export type SessionRow = Selectable<IdentityTables['sessions']>
type WithDb = { readonly db: Db }

export async function insertSession({ db }: WithDb, row: Insertable<IdentityTables['sessions']>): Promise<SessionRow> {
  return await db.insertInto('sessions').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function findOpenSessions({ db }: WithDb, profileId: number): Promise<SessionRow[]> {
  return await db
    .selectFrom('sessions')
    .selectAll()
    .where('profile_id', '=', profileId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('last_used_at', 'desc')
    .limit(200)
    .execute()
}

export async function lockSession({ db }: WithDb, id: string) {
  return await db
    .selectFrom('sessions')
    .innerJoin('profiles', 'profiles.id', 'sessions.profile_id')
    .selectAll('sessions')
    .select([
      'profiles.email',
      'profiles.trellis_user_code',
      sql<number>`extract(epoch from now() - rotated_at)::float8`.as('rotated_seconds_ago'),
    ])
    .where('sessions.id', '=', id)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .forUpdate('sessions')
    .executeTakeFirst()
}

export async function rotateSession({ db }: WithDb, id: string, next: { hash: Buffer; count: number }): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ refresh_hash: next.hash, refresh_count: next.count, rotated_at: sql`now()`, last_used_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}

export async function endSessions(
  { db }: WithDb,
  about: { profileId: number; reason: string; only?: string; except?: string },
): Promise<number> {
  const done = await db
    .updateTable('sessions')
    .set({ ended_at: sql`now()`, ended_reason: about.reason })
    .where('profile_id', '=', about.profileId)
    .where('ended_at', 'is', null)
    .$if(about.only !== undefined, (query) => query.where('id', '=', about.only as string))
    .$if(about.except !== undefined, (query) => query.where('id', '!=', about.except as string))
    .executeTakeFirst()
  return Number(done.numUpdatedRows)
}

export async function deleteOldSessions({ db }: WithDb): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('expires_at', '<', sql<Date>`now() - interval '30 days'`)
    .execute()
  await db
    .deleteFrom('signups')
    .where('created_at', '<', sql<Date>`now() - interval '7 days'`)
    .execute()
  await db
    .deleteFrom('reset_codes')
    .where('expires_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute()
  await db
    .deleteFrom('sso_attempts')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute()
}
