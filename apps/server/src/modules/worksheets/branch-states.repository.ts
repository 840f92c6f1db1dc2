import type { WorkspaceScope } from '@trellis/control-db/scoped'
import { sql } from 'kysely'
import type { ConflictRow } from './conflicts.repository.ts'
import type { BranchRow, DraftRow } from './drafts.repository.ts'
import type { LiveFileRow } from './live.repository.ts'
import type { ProjectRow } from './projects.repository.ts'

interface StateRow extends ProjectRow {
  readonly branch: BranchRow | null
  readonly base: readonly (Omit<LiveFileRow, 'changed_at'> & { file_id: string; changed_at: string })[]
  readonly drafts: readonly (Omit<DraftRow, 'kept_at' | 'updated_at'> & { kept_at: string; updated_at: string })[]
  readonly folders: readonly string[]
  readonly conflicts: readonly ConflictRow[]
}

export async function findBranchStates(ctx: WorkspaceScope, profileId: number) {
  const { rows } = await sql<StateRow>`
    with projects as (
      select p.*, b.id as branch_id, coalesce(b.base_seq, p.live_seq) as base_seq,
             case when b.id is not null then json_build_object('id', b.id, 'project_id', b.project_id,
               'base_seq', b.base_seq, 'head', b.head, 'head_seq', b.head_seq) end as branch
        from worksheet_projects p
        left join worksheet_branches b on b.project_id = p.id and b.profile_id = ${profileId}
       where p.account_id = ${ctx.account.id} and p.workspace_id = ${ctx.workspace.id} and p.deleted_at is null
    ), base_files as (
      select p.id as project_id, f.file_id, f.path, f.blob, f.seq from projects p
        join worksheet_live_files f on f.project_id = p.id
       where p.base_seq = p.live_seq
      union all
      select p.id, f.file_id, f.path, f.blob, f.seq from projects p
       cross join lateral (
         select distinct on (c.file_id) c.file_id, c.path, c.blob, c.seq from worksheet_changes c
          where c.project_id = p.id and c.seq <= p.base_seq order by c.file_id, c.seq desc
       ) f
       where p.base_seq <> p.live_seq and f.blob is not null
    )
    select p.id, p.trellis_code, p.name, p.description, p.live_seq, p.object_bytes, p.created_at, p.branch,
           coalesce((select json_agg(json_build_object('file_id', f.file_id, 'path', f.path, 'blob', f.blob,
               'seq', f.seq, 'changed_at', coalesce(c.committed_at, p.created_at)))
             from base_files f
             left join worksheet_commits c on c.project_id = p.id and c.seq = f.seq
            where f.project_id = p.id), '[]') as base,
           coalesce((select json_agg(json_build_object('file_id', d.file_id, 'path', d.path, 'content', null,
               'version', d.version, 'kept_at', d.kept_at, 'updated_at', d.updated_at))
             from worksheet_drafts d where d.branch_id = p.branch_id), '[]') as drafts,
           coalesce((select json_agg(f.path) from worksheet_folders f where f.branch_id = p.branch_id), '[]') as folders,
           coalesce((select json_agg(json_build_object('file_id', c.file_id, 'base_path', c.base_path,
               'base_blob', c.base_blob, 'theirs_path', c.theirs_path, 'theirs_blob', c.theirs_blob))
             from worksheet_conflicts c where c.branch_id = p.branch_id), '[]') as conflicts
      from projects p
     order by p.name, p.id`.execute(ctx.db)
  return rows.map(({ branch, base, drafts, folders, conflicts, ...project }) => ({
    project,
    branch: branch ?? undefined,
    base: new Map(base.map(({ file_id, ...file }) => [file_id, { ...file, changed_at: new Date(file.changed_at) }])),
    drafts: new Map(
      drafts.map((draft) => [
        draft.file_id,
        { ...draft, kept_at: new Date(draft.kept_at), updated_at: new Date(draft.updated_at) },
      ]),
    ),
    emptyFolders: folders,
    conflicts: new Map(conflicts.map((conflict) => [conflict.file_id, conflict])),
  }))
}
