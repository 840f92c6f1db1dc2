import type { Db } from '@trellis/control-db/database'
import { sql } from 'kysely'

type WithDb = { readonly db: Db }

export interface GoneWorkspace {
  id: number
  account_id: number
  trellis_code: string
  name: string
  state: 'provisioning' | 'online' | 'failed'
  database_key: string | null
  cluster_id: number
}

const isPastGracePeriod = (graceDays: number) => sql<boolean>`not exists (
  select 1 from workspace_moves m where m.workspace_id = w.id) and (
  w.removal_started_at is not null
  or w.deleted_at < now() - make_interval(days => ${graceDays})
  or exists (select 1 from accounts a where a.id = w.account_id and a.deleted_at < now() - make_interval(days => ${graceDays}))
  or (w.state = 'failed' and w.created_at < now() - interval '10 minutes'))`

export async function listGoneWorkspaces({ db }: WithDb, graceDays: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select w.id from workspaces w where ${isPastGracePeriod(graceDays)} order by w.id limit 100`.execute(db)
  return rows.map((row) => row.id)
}

/** Undefined if it was restored meanwhile. From here on it cannot be restored. */
export async function startWorkspaceRemoval(
  { db }: WithDb,
  id: number,
  graceDays: number,
): Promise<GoneWorkspace | undefined> {
  const { rows } = await sql<GoneWorkspace>`
    update workspaces w set removal_started_at = coalesce(w.removal_started_at, now())
     where w.id = ${id} and ${isPastGracePeriod(graceDays)}
    returning w.id, w.account_id, w.trellis_code, w.name, w.state, w.database_key, w.cluster_id`.execute(db)
  return rows[0]
}

export async function deleteWorkspaceRow({ db }: WithDb, id: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('workspaces').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

export async function listWorkspaceIds({ db }: WithDb, accountId: number): Promise<number[]> {
  const rows = await db.selectFrom('workspaces').select('id').where('account_id', '=', accountId).execute()
  return rows.map((row) => row.id)
}
