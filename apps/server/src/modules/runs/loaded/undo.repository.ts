import type { Db } from '@trellis/control-db/database'
import { sql } from 'kysely'
import type { RunRow, UndoProgress, WorkspaceScope } from '../runs.repository.ts'

type WithDb = { readonly db: Db }

export async function hasOpenRun(scope: WorkspaceScope, blockId: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from task_runs where account_id = ${scope.account.id} and block_id = ${blockId}
       and status in ('QUEUED', 'SYSTEM_DEQUEUED', 'SYSTEM_BLOCKED', 'PROVISIONING', 'INITIALIZING', 'RUNNING')
     limit 1`.execute(scope.db)
  return rows.length > 0
}

interface UndoInput {
  readonly rootCode: string
  readonly loadIds: readonly string[]
  readonly profileId: number
}

export async function insertUndo(
  scope: WorkspaceScope,
  run: RunRow,
  undoInput: UndoInput,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    with made as (
      insert into run_undos (account_id, workspace_id, dataflow_id, block_id, run_id, root_code, profile_id, load_ids)
      values (${scope.account.id}, ${scope.workspace.id}, ${run.dataflow_id}, ${run.block_id}, ${run.id}, ${undoInput.rootCode},
              ${undoInput.profileId}, ${undoInput.loadIds}::uuid[])
      on conflict do nothing returning id, dataflow_id)
    select id, pg_notify('trellis_runs', 'flow:' || dataflow_id) from made`.execute(scope.db)
  return rows[0]?.id
}

export interface UndoRow {
  id: string
  account_id: number
  workspace_id: number
  workspace_code: string
  load_ids: string[]
  who: string | null
}

export async function findOpenUndo({ db }: WithDb, undoId: string): Promise<UndoRow | undefined> {
  const { rows } = await sql<UndoRow>`
    select u.id, u.account_id, u.workspace_id, w.trellis_code as workspace_code, u.load_ids,
           nullif(trim(p.first_name || ' ' || p.surname), '') as who
      from run_undos u join workspaces w on w.id = u.workspace_id left join profiles p on p.id = u.profile_id
     where u.id = ${undoId} and u.status = 'in_progress'`.execute(db)
  return rows[0]
}

/** Notifies followers of changes. */
export async function saveUndoHeartbeat({ db }: WithDb, undoId: string, progress: UndoProgress): Promise<void> {
  const progressText = JSON.stringify(progress)
  await sql`
    with old as (select id, progress from run_undos where id = ${undoId} and status = 'in_progress' for update),
    beaten as (
      update run_undos u set beat_at = clock_timestamp(), progress = ${progressText}::jsonb from old where u.id = old.id
      returning u.dataflow_id, old.progress is distinct from u.progress as is_news)
    select pg_notify('trellis_runs', 'flow:' || dataflow_id) from beaten where is_news`.execute(db)
}

export type UndoEnd =
  | { readonly status: 'completed'; readonly progress: UndoProgress }
  | { readonly status: 'failed'; readonly error: string }

export async function endUndo({ db }: WithDb, undoId: string, outcome: UndoEnd): Promise<void> {
  const error = outcome.status === 'failed' ? outcome.error : null
  const progress = outcome.status === 'failed' ? {} : outcome.progress
  await sql`
    with ended as (
      update run_undos set status = ${outcome.status}, error = ${error}, progress = ${JSON.stringify(progress)}::jsonb,
             finished_at = clock_timestamp()
       where id = ${undoId} and status = 'in_progress' returning dataflow_id)
    select pg_notify('trellis_runs', 'flow:' || dataflow_id), pg_notify('trellis_runs', 'queued') from ended`.execute(
    db,
  )
}

export async function claimSilentUndos(
  { db }: WithDb,
  silentMs: number,
): Promise<{ id: string; account_id: number; is_old: boolean }[]> {
  const { rows } = await sql<{ id: string; account_id: number; is_old: boolean }>`
    update run_undos set beat_at = clock_timestamp()
     where id in (select id from run_undos where status = 'in_progress'
                     and beat_at < clock_timestamp() - ${silentMs} * interval '1 millisecond' for update skip locked)
    returning id, account_id, created_at < now() - interval '1 day' as is_old`.execute(db)
  return rows
}
