import type { Db } from '@trellis/control-db/database'
import type { IdentityTables } from '@trellis/control-db/tables/identity'
import { type Insertable, type Selectable, type Updateable, sql } from 'kysely'

export type ProfileRow = Selectable<IdentityTables['profiles']>
type WithDb = { readonly db: Db }

export async function findProfileByEmail({ db }: WithDb, email: string): Promise<ProfileRow | undefined> {
  return await db
    .selectFrom('profiles')
    .selectAll()
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst()
}

export async function findProfile({ db }: WithDb, id: number): Promise<ProfileRow | undefined> {
  return await db.selectFrom('profiles').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function findAnyProfile({ db }: WithDb): Promise<{ id: number } | undefined> {
  return await db.selectFrom('profiles').select('id').limit(1).executeTakeFirst()
}

export async function insertProfile(
  { db }: WithDb,
  row: Insertable<IdentityTables['profiles']>,
): Promise<ProfileRow | undefined> {
  return await db
    .insertInto('profiles')
    .values(row)
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function updateProfileRow(
  { db }: WithDb,
  id: number,
  change: Updateable<IdentityTables['profiles']>,
): Promise<ProfileRow> {
  return await db
    .updateTable('profiles')
    .set({ ...change, updated_at: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function insertSignup({ db }: WithDb, row: Insertable<IdentityTables['signups']>): Promise<string> {
  const { id } = await db.insertInto('signups').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function findSignup({ db }: WithDb, id: string) {
  return await db
    .selectFrom('signups')
    .selectAll()
    .where('id', '=', id)
    .where('consumed_at', 'is', null)
    .executeTakeFirst()
}

export async function findLatestSignup({ db }: WithDb, email: string) {
  return await db
    .selectFrom('signups')
    .selectAll()
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('consumed_at', 'is', null)
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
}

export async function findOpenSignups({ db }: WithDb, email: string) {
  return await db
    .selectFrom('signups')
    .selectAll()
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('consumed_at', 'is', null)
    .orderBy('created_at', 'desc')
    .limit(5)
    .execute()
}

export async function setSignupCode(
  { db }: WithDb,
  id: string,
  code: { hash: Buffer; expiresAt: Date },
): Promise<void> {
  await db
    .updateTable('signups')
    .set({ code_hash: code.hash, code_expires_at: code.expiresAt, attempts: 0 })
    .where('id', '=', id)
    .where('consumed_at', 'is', null)
    .execute()
}

/** Counts and reads in one statement, so that concurrent guesses cannot exceed the limit. */
export async function countSignupAttempt({ db }: WithDb, id: string, tries: number) {
  return await db
    .updateTable('signups')
    .set((row) => ({ attempts: row('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('consumed_at', 'is', null)
    .where('code_hash', 'is not', null)
    .where('code_expires_at', '>', sql<Date>`now()`)
    .where('attempts', '<', tries)
    .returningAll()
    .executeTakeFirst()
}

/** True for exactly one caller. */
export async function consumeSignup({ db }: WithDb, id: string): Promise<boolean> {
  const done = await db
    .updateTable('signups')
    .set({ consumed_at: sql`now()` })
    .where('id', '=', id)
    .where('consumed_at', 'is', null)
    .executeTakeFirst()
  return done.numUpdatedRows === 1n
}

export async function dropOtherSignups({ db }: WithDb, email: string): Promise<void> {
  await db
    .deleteFrom('signups')
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('consumed_at', 'is', null)
    .execute()
}

export async function replaceResetCode({ db }: WithDb, row: Insertable<IdentityTables['reset_codes']>): Promise<void> {
  await db.deleteFrom('reset_codes').where('profile_id', '=', row.profile_id).execute()
  await db.insertInto('reset_codes').values(row).execute()
}

export async function dropResetCodes({ db }: WithDb, profileId: number): Promise<void> {
  await db.deleteFrom('reset_codes').where('profile_id', '=', profileId).execute()
}

export async function countResetAttempt({ db }: WithDb, profileId: number, tries: number) {
  return await db
    .updateTable('reset_codes')
    .set((row) => ({ attempts: row('attempts', '+', 1) }))
    .where('profile_id', '=', profileId)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('attempts', '<', tries)
    .returning(['id', 'code_hash'])
    .executeTakeFirst()
}

export async function consumeResetCode({ db }: WithDb, id: number): Promise<boolean> {
  const done = await db
    .updateTable('reset_codes')
    .set({ consumed_at: sql`now()` })
    .where('id', '=', id)
    .where('consumed_at', 'is', null)
    .executeTakeFirst()
  return done.numUpdatedRows === 1n
}

export async function replaceRecoveryCodes({ db }: WithDb, profileId: number, hashes: Buffer[]): Promise<void> {
  await db.deleteFrom('recovery_codes').where('profile_id', '=', profileId).execute()
  if (hashes.length === 0) return
  await db
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ profile_id: profileId, code_hash })))
    .execute()
}

export async function useRecoveryCode({ db }: WithDb, profileId: number, hash: Buffer): Promise<boolean> {
  const used = await db
    .updateTable('recovery_codes')
    .set({ used_at: sql`now()` })
    .where('profile_id', '=', profileId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return used.numUpdatedRows === 1n
}

export async function countRecoveryCodes({ db }: WithDb, profileId: number): Promise<number> {
  const row = await db
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('profile_id', '=', profileId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.count
}

/** The step only increases, so that a code works once. */
export async function moveSecondFactorStep({ db }: WithDb, profileId: number, step: number): Promise<boolean> {
  const moved = await db
    .updateTable('profiles')
    .set({ second_factor_last_step: step })
    .where('id', '=', profileId)
    .where('second_factor_last_step', '<', step)
    .executeTakeFirst()
  return moved.numUpdatedRows === 1n
}
