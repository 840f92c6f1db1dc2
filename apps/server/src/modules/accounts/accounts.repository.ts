import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import { type AccountRole, type WorkspaceRole, toWorkspaceRole } from '@trellis/contract/core/permissions'
import { type AnyDb, type Db, platformTables } from '@trellis/control-db/database'
import type { PlatformAccountTables } from '@trellis/control-db/tables/accounts'
import { type Insertable, type QueryExecutorProvider, sql } from 'kysely'

type WithDb = { readonly db: Db }

interface Row {
  id: number
  trellis_code: string
  name: string
  account_type: Account['account_type']
  role: AccountRole
  stripe_plan_end_date: Date | null
  stripe_plan_renewal_date: Date | null
  stripe_plan_cancelled_at: Date | null
  workspaces: { trellis_code: string; name: string; workspace_address: string; role: WorkspaceRole | null }[]
}

const toIso = (date: Date | null) => date?.toISOString() ?? null

export async function findAccountsByProfile(
  { db }: { readonly db: QueryExecutorProvider },
  profileId: number,
  accountId: number | null = null,
): Promise<Account[]> {
  const { rows } = await sql<Row>`
    select a.id, a.trellis_code, a.name, a.account_type, m.role,
           a.stripe_plan_end_date, a.stripe_plan_renewal_date, a.stripe_plan_cancelled_at,
           coalesce(jsonb_agg(jsonb_build_object('trellis_code', w.trellis_code, 'name', w.name,
             'workspace_address', w.workspace_address, 'role', wm.role) order by w.name, w.id)
             filter (where w.id is not null), '[]') as workspaces
      from account_members m
      join accounts a on a.id = m.account_id and a.deleted_at is null
      left join workspaces w on w.account_id = a.id and w.deleted_at is null and w.state = 'online'
      left join workspace_members wm on wm.workspace_id = w.id and wm.profile_id = m.profile_id
     where m.profile_id = ${profileId} and (${accountId}::bigint is null or a.id = ${accountId}::bigint)
     group by a.id, m.role
     order by a.name, a.id`.execute(db)
  return rows.map((row) => toAccount(row))
}

function toAccount(row: Row): Account {
  const workspaces = row.workspaces.flatMap((workspace) => {
    const role = toWorkspaceRole(row.role, workspace.role)
    return role ? [{ ...workspace, role, account_trellis_code: row.trellis_code }] : []
  })
  return {
    ...row,
    stripe_plan_end_date: toIso(row.stripe_plan_end_date),
    stripe_plan_renewal_date: toIso(row.stripe_plan_renewal_date),
    stripe_plan_cancelled_at: toIso(row.stripe_plan_cancelled_at),
    workspaces,
  }
}

export async function insertTemporaryAccount({ db }: WithDb, row: { name: string; created_by: number }) {
  return await db.insertInto('temporary_accounts').values(row).returning(['id', 'name']).executeTakeFirstOrThrow()
}

/** Locks the row, so that two tabs returning from the checkout create one account. */
export async function findTemporaryAccount({ db }: WithDb, about: { id: number; createdBy: number }) {
  return await db
    .selectFrom('temporary_accounts')
    .select(['id', 'name', 'account_id'])
    .where('id', '=', about.id)
    .where('created_by', '=', about.createdBy)
    .forUpdate()
    .executeTakeFirst()
}

export async function linkTemporaryAccount({ db }: WithDb, id: number, accountId: number): Promise<void> {
  await db.updateTable('temporary_accounts').set({ account_id: accountId }).where('id', '=', id).execute()
}

export async function insertAccount(
  { db }: WithDb,
  account: Insertable<PlatformAccountTables['accounts']> & { owner: number },
): Promise<number> {
  const { owner, ...row } = account
  const { id } = await db.insertInto('accounts').values(row).returning('id').executeTakeFirstOrThrow()
  await db.insertInto('account_members').values({ account_id: id, profile_id: owner, role: 'owner' }).execute()
  return id
}

export async function renameAccount(ctx: { readonly db: AnyDb }, id: number, name: string): Promise<void> {
  await platformTables(ctx).updateTable('accounts').set({ name, updated_at: new Date() }).where('id', '=', id).execute()
}

export async function markAccountDeleted(ctx: { readonly db: AnyDb }, id: number, by: number | null): Promise<void> {
  await platformTables(ctx)
    .updateTable('accounts')
    .set({ deleted_at: sql`now()`, deleted_by: by })
    .where('id', '=', id)
    .execute()
}
