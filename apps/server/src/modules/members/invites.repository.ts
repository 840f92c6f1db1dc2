import type { Db } from '@trellis/control-db/database'
import { type AccountScope, scoped, updateScoped } from '@trellis/control-db/scoped'
import { sql } from 'kysely'

type WithDb = { readonly db: Db }

const OPEN = sql<boolean>`accepted_at is null and declined_at is null and revoked_at is null`
/** Includes declined invites, so that an admin can remove them. */
const UNUSED = sql<boolean>`accepted_at is null and revoked_at is null`

function selectInvites(db: Db) {
  return db
    .selectFrom('account_invites')
    .innerJoin('accounts', 'accounts.id', 'account_invites.account_id')
    .innerJoin('profiles as inviter', 'inviter.id', 'account_invites.invited_by')
    .selectAll('account_invites')
    .select([
      'accounts.name as account_name',
      'accounts.trellis_code as account_code',
      'inviter.first_name',
      'inviter.surname',
      'inviter.email as inviter_email',
      sql<boolean>`account_invites.expires_at <= now()`.as('is_expired'),
    ])
    .where('accounts.deleted_at', 'is', null)
}

export type InviteRow = Awaited<ReturnType<typeof findInvitesTo>>[number]

export async function findInvitesTo({ db }: WithDb, email: string) {
  return await selectInvites(db)
    .where(sql`lower(account_invites.email)`, '=', email.toLowerCase())
    .where('revoked_at', 'is', null)
    .orderBy('invited_at', 'desc')
    .limit(200)
    .execute()
}

export async function listUnusedInvites(ctx: AccountScope) {
  return await selectInvites(ctx.db as unknown as Db)
    .where('account_invites.account_id', '=', ctx.account.id)
    .where(UNUSED)
    .orderBy('invited_at', 'desc')
    .execute()
}

export async function findInvite({ db }: WithDb, path: { accountCode: string; id: number }) {
  return await selectInvites(db)
    .where('accounts.trellis_code', '=', path.accountCode)
    .where('account_invites.id', '=', path.id)
    .executeTakeFirst()
}

/** True for exactly one caller. */
export async function claimInvite({ db }: WithDb, id: number): Promise<boolean> {
  const done = await db
    .updateTable('account_invites')
    .set({ accepted_at: sql`now()` })
    .where('id', '=', id)
    .where(OPEN)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return done.numUpdatedRows === 1n
}

export async function closeInvite({ db }: WithDb, id: number, how: 'declined_at' | 'revoked_at'): Promise<boolean> {
  const done = await db
    .updateTable('account_invites')
    .set({ [how]: sql`now()` })
    .where('id', '=', id)
    .where(how === 'revoked_at' ? UNUSED : OPEN)
    .executeTakeFirst()
  return done.numUpdatedRows === 1n
}

export async function findOpenInvite(ctx: AccountScope, email: string) {
  return await scoped(ctx, 'account_invites')
    .select(['id', sql<boolean>`expires_at <= now()`.as('is_expired')])
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where(OPEN)
    .executeTakeFirst()
}

export async function findOpenInviteById(ctx: AccountScope, id: number) {
  return await scoped(ctx, 'account_invites')
    .select(['id', 'email', sql<boolean>`expires_at <= now()`.as('is_expired')])
    .where('id', '=', id)
    .where(OPEN)
    .executeTakeFirst()
}

export async function renewInvite(ctx: AccountScope, id: number, expiresAt: Date): Promise<void> {
  await updateScoped(ctx, 'account_invites')
    .set({ expires_at: expiresAt, invited_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}

export async function revokeInvite(ctx: AccountScope, id: number): Promise<void> {
  await updateScoped(ctx, 'account_invites')
    .set({ revoked_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}
