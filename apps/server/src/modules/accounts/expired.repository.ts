import type { Db } from '@trellis/control-db/database'
import { sql } from 'kysely'

type WithDb = { readonly db: Db }

export interface ExpiredAccount {
  id: number
  name: string
  trellis_code: string
  stripe_plan_end_date: Date
}

const isOver = (days: number) => sql<boolean>`(
  plan_status = 'over' and account_type in ('basic', 'team') and deleted_at is null
  and stripe_plan_end_date < now() - make_interval(days => ${days}))`

/** Marks them as warned, so that two workers do not warn twice. */
export async function claimAccountsToWarn({ db }: WithDb, days: number): Promise<ExpiredAccount[]> {
  const { rows } = await sql<ExpiredAccount>`
    update accounts set removal_notice_at = now()
     where id in (select id from accounts where ${isOver(days)} and removal_notice_at is null
                   order by id limit 100 for update skip locked)
    returning id, name, trellis_code, stripe_plan_end_date`.execute(db)
  return rows
}

const isDue = (about: { dataDays: number; noticeDays: number }) =>
  sql<boolean>`(${isOver(about.dataDays)} and removal_notice_at < now() - make_interval(days => ${about.noticeDays}))`

export async function listAccountsToDelete(
  { db }: WithDb,
  about: { dataDays: number; noticeDays: number },
): Promise<number[]> {
  const rows = await db.selectFrom('accounts').select('id').where(isDue(about)).orderBy('id').limit(100).execute()
  return rows.map((row) => row.id)
}

/** Locks the row; undefined if the plan was renewed meanwhile. */
export async function lockAccountToDelete(
  { db }: WithDb,
  id: number,
  about: { dataDays: number; noticeDays: number },
): Promise<ExpiredAccount | undefined> {
  const { rows } = await sql<ExpiredAccount>`
    select id, name, trellis_code, stripe_plan_end_date from accounts
     where id = ${id} and ${isDue(about)} for update`.execute(db)
  return rows[0]
}

export async function listOwnerAndAdmins({ db }: WithDb, accountId: number) {
  return await db
    .selectFrom('account_members')
    .innerJoin('profiles', 'profiles.id', 'account_members.profile_id')
    .select(['profiles.email', 'profiles.first_name'])
    .where('account_members.account_id', '=', accountId)
    .where('account_members.role', 'in', ['owner', 'account_admin'])
    .orderBy('profiles.id')
    .execute()
}
