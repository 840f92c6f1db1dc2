import type { WorkspaceScope } from '@trellis/control-db/scoped'
import { sql } from 'kysely'
import type { CommitRow } from './live.repository.ts'
import type { ProjectRow } from './projects.repository.ts'

export type ProjectSummary = ProjectRow & {
  readonly file_count: number
  readonly draft_count: number
  readonly conflict_count: number
  readonly behind_count: number
  readonly head: CommitRow
}

type SummaryRow = Omit<ProjectSummary, 'head'> & Omit<CommitRow, 'seq'>

export async function findProjectSummaries(ctx: WorkspaceScope, profileId: number): Promise<ProjectSummary[]> {
  const { rows } = await sql<SummaryRow>`
    with projects as (
      select p.*, b.id as branch_id, coalesce(b.base_seq, p.live_seq) as base_seq
        from worksheet_projects p
        left join worksheet_branches b on b.project_id = p.id and b.profile_id = ${profileId}
       where p.account_id = ${ctx.account.id} and p.workspace_id = ${ctx.workspace.id} and p.deleted_at is null
    ), base_files as (
      select p.id as project_id, f.file_id from projects p
        join worksheet_live_files f on f.project_id = p.id
       where p.base_seq = p.live_seq
      union all
      select p.id, f.file_id from projects p
       cross join lateral (
         select distinct on (c.file_id) c.file_id, c.blob from worksheet_changes c
          where c.project_id = p.id and c.seq <= p.base_seq order by c.file_id, c.seq desc
       ) f
       where p.base_seq <> p.live_seq and f.blob is not null
    ), files as (
      select coalesce(b.project_id, d.project_id) as project_id, count(*)::int as count
        from base_files b
        full join (
          select p.id as project_id, d.file_id, d.path from projects p join worksheet_drafts d on d.branch_id = p.branch_id
        ) d on d.project_id = b.project_id and d.file_id = b.file_id
       where d.file_id is null or d.path is not null
       group by 1
    )
    select p.id, p.trellis_code, p.name, p.description, p.live_seq, p.object_bytes, p.created_at,
           coalesce(f.count, 0) as file_count,
           (select count(*)::int from worksheet_drafts d where d.branch_id = p.branch_id) as draft_count,
           (select count(*)::int from worksheet_conflicts c where c.branch_id = p.branch_id) as conflict_count,
           p.live_seq - p.base_seq as behind_count,
           h.commit_id, h.message, h.author_name, h.committed_at, author.trellis_user_code as author_code
      from projects p
      join worksheet_commits h on h.project_id = p.id and h.seq = p.live_seq
      left join profiles author on author.id = h.author_id
      left join files f on f.project_id = p.id
     order by p.name, p.id`.execute(ctx.db)
  return rows.map((row) => ({ ...row, head: { ...row, seq: row.live_seq } }))
}
