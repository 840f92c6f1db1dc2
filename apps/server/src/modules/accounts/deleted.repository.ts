import type { Db } from '@trellis/control-db/database'
import { sql } from 'kysely'

type WithDb = { readonly db: Db }

export interface DeletedRow {
  kind: 'account' | 'workspace'
  id: number
  account_id: number
  trellis_code: string
  account_trellis_code: string
  name: string
  deleted_at: Date
}

export async function findDeleted(
  { db }: WithDb,
  about: { profileId: number; graceDays: number },
): Promise<DeletedRow[]> {
  const since = sql`now() - make_interval(days => ${about.graceDays})`
  const { rows } = await sql<DeletedRow>`
    select 'account' as kind, a.id, a.id as account_id, a.trellis_code, a.trellis_code as account_trellis_code, a.name, a.deleted_at
      from accounts a join account_members m on m.account_id = a.id and m.profile_id = ${about.profileId} and m.role = 'owner'
     where a.deleted_at > ${since} and a.removal_started_at is null
    union all
    select 'workspace', w.id, a.id, w.trellis_code, a.trellis_code, w.name, w.deleted_at
      from workspaces w
      join accounts a on a.id = w.account_id and a.deleted_at is null
      join account_members m on m.account_id = a.id and m.profile_id = ${about.profileId} and m.role in ('owner', 'account_admin')
     where w.deleted_at > ${since} and w.removal_started_at is null
     order by deleted_at desc`.execute(db)
  return rows
}

export async function restoreRow({ db }: WithDb, row: Pick<DeletedRow, 'kind' | 'id'>): Promise<boolean> {
  const table = row.kind === 'account' ? 'accounts' : 'workspaces'
  const { numUpdatedRows } = await db
    .updateTable(table)
    .set({ deleted_at: null, deleted_by: null })
    .where('id', '=', row.id)
    .where('removal_started_at', 'is', null)
    .executeTakeFirst()
  if (row.kind === 'account')
    await db.updateTable('accounts').set({ removal_notice_at: null }).where('id', '=', row.id).execute()
  return numUpdatedRows > 0n
}

export interface GoneAccount {
  id: number
  trellis_code: string
  name: string
  stripe_customer_id: string | null
  deleted_at: Date
}

const isPastGracePeriod = (graceDays: number) => sql<boolean>`(
  removal_started_at is not null or deleted_at < now() - make_interval(days => ${graceDays}))`

export async function listGoneAccounts({ db }: WithDb, graceDays: number): Promise<number[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('id')
    .where(isPastGracePeriod(graceDays))
    .orderBy('id')
    .limit(100)
    .execute()
  return rows.map((row) => row.id)
}

/** Undefined if it was restored meanwhile. From here on it cannot be restored. */
export async function startAccountRemoval(
  { db }: WithDb,
  id: number,
  graceDays: number,
): Promise<GoneAccount | undefined> {
  const { rows } = await sql<GoneAccount>`
    update accounts set removal_started_at = coalesce(removal_started_at, now())
     where id = ${id} and ${isPastGracePeriod(graceDays)}
    returning id, trellis_code, name, stripe_customer_id, deleted_at`.execute(db)
  return rows[0]
}

export async function deleteAccountRow({ db }: WithDb, id: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('accounts').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}
