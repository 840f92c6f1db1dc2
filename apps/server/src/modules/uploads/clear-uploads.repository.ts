import type { Db } from '@trellis/control-db/database'
import { sql } from 'kysely'

type WithDb = { readonly db: Db }

interface StaleFile {
  id: string
  workspace_id: number
}

/** Incomplete for two days, or not delivered for two weeks. */
export async function findStaleFiles({ db }: WithDb): Promise<StaleFile[]> {
  const { rows } = await sql<StaleFile>`
    select id, workspace_id from upload_files f
     where state <> 'delivered'
       and updated_at < now() - case state when 'uploading' then interval '2 days' else interval '14 days' end
       and not exists (select 1 from upload_jobs j where j.file_id = f.id and j.status = 'in_progress')
     order by updated_at limit 200`.execute(db)
  return rows
}

export async function deleteStaleFile({ db }: WithDb, id: string): Promise<void> {
  await db.deleteFrom('upload_files').where('id', '=', id).execute()
}

export async function findFilesWithOldParts({ db }: WithDb): Promise<StaleFile[]> {
  const { rows } = await sql<StaleFile>`
    select id, workspace_id from upload_files
     where state = 'delivered' and delivered_at < now() - interval '7 days' and parts <> '{}'
     order by delivered_at limit 200`.execute(db)
  return rows
}

export async function clearPartsColumn({ db }: WithDb, id: string): Promise<void> {
  await db.updateTable('upload_files').set({ parts: '{}' }).where('id', '=', id).execute()
}

export interface UsedWorkspace {
  workspaceId: number
  integrationCode: string
}

export async function findRecentlyUsedWorkspaces({ db }: WithDb): Promise<UsedWorkspace[]> {
  const { rows } = await sql<UsedWorkspace>`
    select distinct j.workspace_id as "workspaceId", j.integration_code as "integrationCode"
      from upload_jobs j join workspaces w on w.id = j.workspace_id
     where j.created_at > now() - interval '15 days' and w.state = 'online' and w.deleted_at is null`.execute(db)
  return rows
}

export async function findActiveWork(
  { db }: WithDb,
  workspaceId: number,
): Promise<{ jobs: Set<string>; stages: Set<string> }> {
  const jobs = await db
    .selectFrom('upload_jobs')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', 'in_progress')
    .execute()
  const files = await db
    .selectFrom('upload_files')
    .select('staged_from')
    .where('workspace_id', '=', workspaceId)
    .where('staged_from', 'is not', null)
    // Staged while it was inspected, and not wanted since.
    .where(sql<boolean>`staged_from::jsonb->>'fingerprint' is not null or updated_at > now() - interval '1 day'`)
    .execute()
  return {
    jobs: new Set(jobs.map((job) => job.id)),
    stages: new Set(files.map((file) => (JSON.parse(file.staged_from ?? '{}') as { stage: string }).stage)),
  }
}
