import type { Db } from '@trellis/control-db/database'
import { sql } from 'kysely'

type WithDb = { readonly db: Db }

export interface ListedCluster {
  readonly id: number
  readonly name: string
  readonly address: string | null
  readonly replica: string | null
  readonly capacity: number | null
  readonly state: 'open' | 'full' | 'draining'
  readonly workspaces: number
  /** When last measured. */
  readonly bytes: number
}

export async function findUsedClusters({ db }: WithDb): Promise<ListedCluster[]> {
  const { rows } = await sql<ListedCluster>`
    select c.id, c.name, c.address, c.replica, c.capacity, c.state, count(w.id)::integer as workspaces,
           coalesce(sum(w.storage_bytes), 0)::bigint as bytes
      from clusters c left join workspaces w on w.cluster_id = c.id group by c.id order by c.id`.execute(db)
  return rows
}

/** False if the name is taken. */
export async function insertCluster(
  { db }: WithDb,
  cluster: { name: string; address: string; replica: string | null; capacity: number | null },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('clusters')
    .values(cluster)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

interface ClusterChange {
  readonly address?: string | undefined
  readonly replica?: string | null | undefined
  readonly capacity?: number | null | undefined
  readonly state?: ListedCluster['state'] | undefined
}

export async function changeCluster({ db }: WithDb, id: number, change: ClusterChange): Promise<void> {
  const { address, replica, capacity, state } = change
  await db
    .updateTable('clusters')
    .set({
      ...(address !== undefined && { address }),
      ...(replica !== undefined && { replica }),
      ...(capacity !== undefined && { capacity }),
      ...(state !== undefined && { state }),
    })
    .where('id', '=', id)
    .execute()
}

/** False if it has workspaces. */
export async function deleteCluster({ db }: WithDb, id: number): Promise<boolean> {
  const { rows } = await sql`
    delete from clusters where id = ${id} and not exists (select from workspaces where cluster_id = ${id})
    returning id`.execute(db)
  return rows.length > 0
}

interface WorkspaceToMove {
  readonly id: number
  readonly code: string
}

/** By code, or all of a cluster. Only those with a database that is not being removed. */
export async function findWorkspacesToMove(
  { db }: WithDb,
  where: { code: string } | { clusterId: number },
): Promise<WorkspaceToMove[]> {
  const query = db
    .selectFrom('workspaces')
    .select(['id', 'trellis_code as code'])
    .where('state', '=', 'online')
    .where('removal_started_at', 'is', null)
    .orderBy('id')
  return await (
    'code' in where ? query.where('trellis_code', '=', where.code) : query.where('cluster_id', '=', where.clusterId)
  ).execute()
}

interface ListedWorkspace {
  readonly code: string
  readonly account: string
  readonly address: string
  readonly cluster: string
  readonly bytes: number
  /** Null unless it is being moved. */
  readonly step: string | null
}

export async function listWorkspaces({ db }: WithDb): Promise<ListedWorkspace[]> {
  const { rows } = await sql<ListedWorkspace>`
    select w.trellis_code as code, a.trellis_code as account, w.workspace_address as address, c.name as cluster,
           w.storage_bytes::bigint as bytes, m.step
      from workspaces w join accounts a on a.id = w.account_id join clusters c on c.id = w.cluster_id
      left join workspace_moves m on m.workspace_id = w.id
     order by a.trellis_code, w.workspace_address`.execute(db)
  return rows
}
