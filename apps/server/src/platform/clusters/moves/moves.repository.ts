import type { Db } from '@trellis/control-db/database'
import { sql } from 'kysely'

type WithDb = { readonly db: Db }

export interface Move {
  readonly workspace_id: number
  readonly from_cluster: number
  readonly to_cluster: number
  readonly state: 'copying' | 'moved' | 'abandoned'
  readonly token: string
}

const LEASE = sql`now() + interval '60 seconds'`
const COLUMNS = sql`workspace_id, from_cluster, to_cluster, state, token`

export async function lockMovable({ db }: WithDb, id: number) {
  const { rows } = await sql<{ cluster_id: number; is_ready: boolean; step: string | null }>`
    select w.cluster_id, w.state = 'online' and w.removal_started_at is null as is_ready, m.step
      from workspaces w left join workspace_moves m on m.workspace_id = w.id where w.id = ${id} for update of w`.execute(
    db,
  )
  return rows[0]
}

export async function insertMove({ db }: WithDb, id: number, toCluster: number): Promise<Move> {
  const { rows } = await sql<Move>`
    insert into workspace_moves (workspace_id, from_cluster, to_cluster, lease_until)
    select id, cluster_id, ${toCluster}::integer, ${LEASE} from workspaces where id = ${id} returning ${COLUMNS}`.execute(
    db,
  )
  return rows[0] as Move
}

/** False if somebody else has taken over. */
export async function renewMove({ db }: WithDb, { token }: Move, step: string): Promise<boolean> {
  const { rows } = await sql`
    update workspace_moves set lease_until = ${LEASE}, step = ${step} where token = ${token} returning 1`.execute(db)
  return rows.length === 1
}

/** The one moment at which the workspace changes its cluster. False if somebody else has taken over. */
export async function commitMove({ db }: WithDb, { token }: Move): Promise<boolean> {
  const { rows } = await sql`
    with moved as (
      update workspace_moves set state = 'moved', lease_until = ${LEASE} where token = ${token} and state = 'copying'
      returning workspace_id, to_cluster)
    update workspaces w set cluster_id = m.to_cluster, updated_at = now() from moved m where w.id = m.workspace_id
    returning 1`.execute(db)
  return rows.length === 1
}

/** From here on nobody can commit it. Undefined if somebody else has taken over. */
export async function abandonMove({ db }: WithDb, { token }: Move): Promise<Move | undefined> {
  const { rows } = await sql<Move>`
    update workspace_moves set state = case state when 'copying' then 'abandoned' else state end,
           token = gen_random_uuid(), lease_until = ${LEASE}
     where token = ${token} returning ${COLUMNS}`.execute(db)
  return rows[0]
}

/** Of processes that died. */
export async function findLapsedMoves({ db }: WithDb): Promise<Move[]> {
  const { rows } = await sql<Move>`select ${COLUMNS} from workspace_moves where lease_until < now()`.execute(db)
  return rows
}

export async function deleteMove({ db }: WithDb, { token }: Move): Promise<void> {
  await sql`delete from workspace_moves where token = ${token}`.execute(db)
}

export async function findMoved({ db }: WithDb, id: number) {
  const { rows } = await sql<{ key: string | null; cluster_id: number; is_moving: boolean }>`
    select database_key as key, cluster_id,
           exists (select from workspace_moves m where m.workspace_id = w.id) as is_moving
      from workspaces w where id = ${id}`.execute(db)
  return rows[0]
}

export async function listActiveRuns({ db }: WithDb, id: number): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select trellis_code as code from task_runs where workspace_id = ${id}
       and status in ('SYSTEM_DEQUEUED', 'PROVISIONING', 'INITIALIZING', 'RUNNING') order by id`.execute(db)
  return rows.map(({ code }) => code)
}
