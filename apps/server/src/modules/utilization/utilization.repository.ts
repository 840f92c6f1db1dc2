import type { AccountTypeName } from '@trellis/contract/billing/plans'
import type { AnyDb, Db } from '@trellis/control-db/database'
import { sql } from 'kysely'

type WithDb = { readonly db: AnyDb }

export interface Counts {
  seats: number
  workspaces: number
  storage: number
}

export interface UnmeasuredDatabase {
  id: number
  account_id: number
  database_key: string
  cluster_id: number
}

const HAS_DATABASE = sql`database_key is not null and state = 'online' and deleted_at is null`

/** Seats are members plus open invites. Also lists workspaces not measured since then. */
export async function readCounts(
  { db }: WithDb,
  accountId: number,
  { now, since }: { now: Date; since: Date },
): Promise<Counts & { unmeasured: UnmeasuredDatabase[] }> {
  const { rows } = await sql<Counts & { unmeasured: UnmeasuredDatabase[] }>`
    select (select count(*) from account_members where account_id = ${accountId})::int
         + (select count(*) from account_invites where account_id = ${accountId} and accepted_at is null
               and declined_at is null and revoked_at is null and expires_at > ${now})::int as seats,
           count(*)::int as workspaces, coalesce(sum(storage_bytes), 0)::bigint as storage,
           coalesce(json_agg(json_build_object('id', id, 'account_id', account_id,
             'database_key', database_key, 'cluster_id', cluster_id) order by id)
             filter (where ${HAS_DATABASE} and (storage_measured_at is null or storage_measured_at < ${since})), '[]') as unmeasured
      from workspaces where account_id = ${accountId} and deleted_at is null`.execute(db)
  return rows[0] ?? { seats: 0, workspaces: 0, storage: 0, unmeasured: [] }
}

export async function findUnmeasured({ db }: WithDb, since: Date): Promise<UnmeasuredDatabase[]> {
  const { rows } = await sql<UnmeasuredDatabase>`
    select id, account_id, database_key, cluster_id from workspaces
     where ${HAS_DATABASE} and (storage_measured_at is null or storage_measured_at < ${since})
     order by id`.execute(db)
  return rows
}

export async function writeSizes({ db }: WithDb, sizes: { id: number; bytes: number }[], now: Date): Promise<void> {
  if (sizes.length === 0) return
  await sql`
    update workspaces set storage_bytes = size.bytes, storage_measured_at = ${now}
      from jsonb_to_recordset(${JSON.stringify(sizes)}::jsonb) as size(id bigint, bytes bigint)
     where workspaces.id = size.id`.execute(db)
}

export async function writeUsageDay({ db }: { readonly db: Db }, now: Date): Promise<void> {
  const day = now.toISOString().slice(0, 10)
  await sql`
    insert into usage_days (account_id, day, users, workspaces, storage_bytes, credits_spent)
    select a.id, ${day}::date,
           (select count(*) from account_members m where m.account_id = a.id),
           (select count(*) from workspaces w where w.account_id = a.id and w.deleted_at is null),
           (select coalesce(sum(storage_bytes), 0) from workspaces w where w.account_id = a.id and w.deleted_at is null),
           (select coalesce(sum(amount), 0) from credit_spends s where s.account_id = a.id
               and s.at >= ${day}::date::timestamp at time zone 'UTC'
               and s.at < (${day}::date + 1)::timestamp at time zone 'UTC')
      from accounts a where a.deleted_at is null
    on conflict (account_id, day) do update set users = excluded.users, workspaces = excluded.workspaces,
      storage_bytes = excluded.storage_bytes, credits_spent = excluded.credits_spent`.execute(db)
}

export interface LimitsRow {
  trellis_code: string
  account_type: AccountTypeName
  workspaces: number
}

export async function findLimitsByProfile({ db }: { readonly db: Db }, profileId: number): Promise<LimitsRow[]> {
  const { rows } = await sql<LimitsRow>`
    select a.trellis_code, a.account_type,
           (select count(*) from workspaces w where w.account_id = a.id and w.deleted_at is null)::int as workspaces
      from account_members m join accounts a on a.id = m.account_id
     where m.profile_id = ${profileId} and a.deleted_at is null
     order by a.name, a.id`.execute(db)
  return rows
}

export interface FullAccount {
  id: number
  trellis_code: string
  account_type: AccountTypeName
  storage: number
  admins: number[]
  levels: string[]
}

const MIN_NOTICED_BYTES = 1024 ** 3

export async function findFullestAccounts({ db }: { readonly db: Db }): Promise<FullAccount[]> {
  const { rows } = await sql<FullAccount>`
    select a.id, a.trellis_code, a.account_type, w.storage,
           (select coalesce(json_agg(m.profile_id), '[]') from account_members m
             where m.account_id = a.id and m.role <> 'account_view') as admins,
           array(select distinct n.group_key from notifications n where n.account_id = a.id and n.kind = 'storage') as levels
      from accounts a join (
        select account_id, sum(storage_bytes)::bigint as storage from workspaces
         where deleted_at is null group by account_id having sum(storage_bytes) >= ${MIN_NOTICED_BYTES}
      ) w on w.account_id = a.id
     where a.deleted_at is null`.execute(db)
  return rows
}
