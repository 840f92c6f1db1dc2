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

/** What the person may bring back: accounts they own, and workspaces of accounts they own or administer. */
export async function findDeleted(
  { db }: WithDb,
  about: { profileId: number; graceDays: number },
): Promise<DeletedRow[]> {
  const since = sql`now() - make_interval(days => ${about.graceDays})`
  const { rows } = await sql<DeletedRow>`
    select 'account' as kind, a.id, a.id as account_id, a.trellis_code, a.trellis_code as account_trellis_code, a.name, a.deleted_at
      from accounts a join account_members m on m.account_id = a.id and m.profile_id = ${about.profileId} and m.role = 'owner'
     where a.deleted_at > ${since}
    union all
    select 'workspace', w.id, a.id, w.trellis_code, a.trellis_code, w.name, w.deleted_at
      from workspaces w
      join accounts a on a.id = w.account_id and a.deleted_at is null
      join account_members m on m.account_id = a.id and m.profile_id = ${about.profileId} and m.role in ('owner', 'account_admin')
     where w.deleted_at > ${since}
     order by deleted_at desc`.execute(db)
  return rows
}

export async function restoreRow({ db }: WithDb, row: Pick<DeletedRow, 'kind' | 'id'>): Promise<void> {
  const table = row.kind === 'account' ? 'accounts' : 'workspaces'
  await db.updateTable(table).set({ deleted_at: null, deleted_by: null }).where('id', '=', row.id).execute()
}

export async function deleteGoneAccounts({ db }: WithDb, graceDays: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from accounts a where a.deleted_at < now() - make_interval(days => ${graceDays})
      and not exists (select 1 from workspaces w where w.account_id = a.id)`.execute(db)
  return Number(numAffectedRows ?? 0)
}
