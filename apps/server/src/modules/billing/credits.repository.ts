import type { AnyDb } from '@trellis/control-db/database'
import { sql } from 'kysely'

type WithDb = { readonly db: AnyDb }

export type CreditKind = 'free' | 'month' | 'purchased'

export interface Grant {
  kind: CreditKind
  amount: number
  reason: string
  reference: string
  validFrom: Date
  validUntil: Date | null
}

/** Idempotent by reason and reference; false if granted before. */
export async function insertGrant({ db }: WithDb, accountId: number, grant: Grant): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into credit_grants (account_id, kind, amount, reason, reference, valid_from, valid_until)
    values (${accountId}, ${grant.kind}, ${grant.amount}, ${grant.reason}, ${grant.reference}, ${grant.validFrom}, ${grant.validUntil})
    on conflict (account_id, reason, reference) do nothing`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

/**
 * More seats raise an earlier grant, nothing lowers it. Reads first: an upsert would lock on every call that shows
 * credits.
 */
export async function raiseGrant(
  { db }: WithDb,
  accountId: number,
  { perMember, ...grant }: Omit<Grant, 'amount'> & { perMember: number },
): Promise<void> {
  await sql`
    insert into credit_grants (account_id, kind, amount, reason, reference, valid_from, valid_until)
    select ${accountId}, ${grant.kind}, due.amount, ${grant.reason}, ${grant.reference}, ${grant.validFrom}::timestamptz,
           ${grant.validUntil}::timestamptz
      from (select (${perMember}::int * count(*))::int as amount from account_members where account_id = ${accountId}) due
     where not exists (
       select from credit_grants given where given.account_id = ${accountId} and given.reason = ${grant.reason}
          and given.reference = ${grant.reference} and given.amount >= due.amount)
    on conflict (account_id, reason, reference) do update set amount = excluded.amount
      where credit_grants.amount < excluded.amount`.execute(db)
}

export interface OpenGrant {
  id: number
  kind: CreditKind
  left: number
}

/** Fixed lock order avoids a deadlock. */
export async function lockOpenGrants({ db }: WithDb, accountId: number, now: Date): Promise<OpenGrant[]> {
  const { rows } = await sql<OpenGrant>`
    select id, kind, amount - spent as left from credit_grants
     where account_id = ${accountId} and spent < amount
       and valid_from <= ${now} and (valid_until is null or valid_until > ${now})
     order by case kind when 'free' then 1 when 'month' then 2 else 3 end, id
       for update`.execute(db)
  return rows.filter((row) => row.left > 0)
}

export interface Spend {
  accountId: number
  workspaceId: number | null
  profileId: number | null
  reason: string
  reference: string
}

export async function spendGrant(
  { db }: WithDb,
  spend: Spend,
  from: { grantId: number; amount: number; at: Date },
): Promise<void> {
  await sql`update credit_grants set spent = spent + ${from.amount} where id = ${from.grantId}`.execute(db)
  await sql`
    insert into credit_spends (account_id, grant_id, workspace_id, profile_id, amount, reason, reference, at)
    values (${spend.accountId}, ${from.grantId}, ${spend.workspaceId}, ${spend.profileId}, ${from.amount}, ${spend.reason},
            ${spend.reference}, ${from.at})`.execute(db)
}

export async function sumSpent(
  { db }: WithDb,
  spend: Pick<Spend, 'accountId' | 'reason' | 'reference'>,
): Promise<number> {
  const { rows } = await sql<{ sum: number }>`
    select coalesce(sum(amount), 0)::int as sum from credit_spends
     where account_id = ${spend.accountId} and reason = ${spend.reason} and reference = ${spend.reference}`.execute(db)
  return rows[0]?.sum ?? 0
}

export interface Balance {
  kind: CreditKind
  available: number
  remaining: number
}

export async function readBalances(
  { db }: WithDb,
  accountId: number,
  about: { now: Date; monthStart: Date },
): Promise<Balance[]> {
  const { rows } = await sql<Balance>`
    select kind, sum(amount)::int as available, sum(amount - spent)::int as remaining from credit_grants g
     where account_id = ${accountId} and valid_from <= ${about.now} and (valid_until is null or valid_until > ${about.now})
       and (spent < amount
            or exists (select 1 from credit_spends s where s.grant_id = g.id and s.at >= ${about.monthStart}))
     group by kind`.execute(db)
  return rows
}

export interface LowAccount {
  id: number
  trellis_code: string
  available: number
  remaining: number
  admins: number[]
  levels: string[]
}

export async function findAccountsLowOnCredits(
  { db }: WithDb,
  about: { now: Date; monthStart: Date },
): Promise<LowAccount[]> {
  const { rows } = await sql<LowAccount>`
    select a.id, a.trellis_code, credits.available, credits.remaining,
           (select coalesce(json_agg(m.profile_id), '[]') from account_members m
             where m.account_id = a.id and m.role <> 'account_view') as admins,
           array(select distinct n.group_key from notifications n where n.account_id = a.id and n.kind = 'credits') as levels
      from accounts a join (
        select g.account_id, sum(g.amount)::int as available, sum(g.amount - g.spent)::int as remaining
          from credit_grants g
         where g.account_id in (select s.account_id from credit_spends s where s.at >= ${about.monthStart})
           and g.valid_from <= ${about.now} and (g.valid_until is null or g.valid_until > ${about.now})
           and (g.spent < g.amount
                or exists (select 1 from credit_spends s where s.grant_id = g.id and s.at >= ${about.monthStart}))
         group by g.account_id having sum(g.amount - g.spent) * 10 <= sum(g.amount)
      ) credits on credits.account_id = a.id
     where a.deleted_at is null`.execute(db)
  return rows
}
