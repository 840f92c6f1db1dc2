import type { Db } from '@trellis/control-db/database'
import type { IdentityTables } from '@trellis/control-db/tables/identity'
import { type Insertable, sql } from 'kysely'
import type { ProfileRow } from './identity.repository.ts'

type WithDb = { readonly db: Db }

export async function insertSsoAttempt({ db }: WithDb, row: Insertable<IdentityTables['sso_attempts']>): Promise<void> {
  await db.insertInto('sso_attempts').values(row).execute()
}

/** Deletes it: a state works once. */
export async function consumeSsoAttempt({ db }: WithDb, stateHash: Buffer) {
  return await db
    .deleteFrom('sso_attempts')
    .where('state_hash', '=', stateHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .returningAll()
    .executeTakeFirst()
}

export async function findLinkedProfile(
  { db }: WithDb,
  link: { issuer: string; subject: string },
): Promise<ProfileRow | undefined> {
  return await db
    .selectFrom('identity_links')
    .innerJoin('profiles', 'profiles.id', 'identity_links.profile_id')
    .selectAll('profiles')
    .where('issuer', '=', link.issuer)
    .where('subject', '=', link.subject)
    .executeTakeFirst()
}

/** False if the profile is already linked to another subject. */
export async function insertIdentityLink(
  { db }: WithDb,
  row: Insertable<IdentityTables['identity_links']>,
): Promise<boolean> {
  const done = await db
    .insertInto('identity_links')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return done.numInsertedOrUpdatedRows === 1n
}
