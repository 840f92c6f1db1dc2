import { type AccountScope, deleteScoped, insertScoped, scoped, type WorkspaceScope } from '@trellis/control-db/scoped'
import { sql } from 'kysely'
import type { FileChange, PublishedFile } from './merge/trees.ts'
import { type ProjectRow, updateProjectRow } from './projects.repository.ts'

export interface CommitRow {
  readonly seq: number
  readonly commit_id: string
  readonly message: string
  readonly author_name: string
  readonly committed_at: Date
  readonly author_code: string | null
}
export interface LiveFileRow extends PublishedFile {
  readonly seq: number
  readonly changed_at: Date
}
export interface ChangeRow extends CommitRow {
  readonly file_id: string
  readonly change: FileChange['change']
  readonly path: string
  readonly previous_path: string | null
  readonly blob: string | null
}

const selectCommits = (ctx: AccountScope, projectId: number) =>
  scoped(ctx, 'worksheet_commits')
    .leftJoin('profiles', 'profiles.id', 'worksheet_commits.author_id')
    .select([
      'worksheet_commits.seq',
      'worksheet_commits.commit_id',
      'worksheet_commits.message',
      'worksheet_commits.author_name',
      'worksheet_commits.committed_at',
      'profiles.trellis_user_code as author_code',
    ])
    .where('worksheet_commits.project_id', '=', projectId)

export async function getCommitAt(ctx: AccountScope, projectId: number, seq: number): Promise<CommitRow> {
  return await selectCommits(ctx, projectId).where('worksheet_commits.seq', '=', seq).executeTakeFirstOrThrow()
}

export async function findCommit(ctx: AccountScope, projectId: number, id: string): Promise<CommitRow | undefined> {
  return await selectCommits(ctx, projectId).where('worksheet_commits.commit_id', '=', id).executeTakeFirst()
}

export async function findCommits(
  ctx: AccountScope,
  projectId: number,
  page: { before: number | undefined; limit: number },
): Promise<CommitRow[]> {
  let query = selectCommits(ctx, projectId).orderBy('worksheet_commits.seq', 'desc').limit(page.limit)
  if (page.before !== undefined) query = query.where('worksheet_commits.seq', '<', page.before)
  return await query.execute()
}

export async function findSeqs(ctx: AccountScope, projectId: number, ids: readonly string[]): Promise<number[]> {
  const rows = await scoped(ctx, 'worksheet_commits')
    .select('seq')
    .where('project_id', '=', projectId)
    .where(sql<boolean>`commit_id = any(${ids}::text[])`)
    .execute()
  return rows.map(({ seq }) => seq)
}

export async function findTree(
  ctx: AccountScope,
  project: ProjectRow,
  seq: number = project.live_seq,
): Promise<Map<string, LiveFileRow>> {
  const rows =
    seq === project.live_seq
      ? await scoped(ctx, 'worksheet_live_files')
          .select(['file_id', 'path', 'blob', 'seq'])
          .where('project_id', '=', project.id)
          .execute()
      : await scoped(ctx, 'worksheet_changes')
          .distinctOn('file_id')
          .select(['file_id', 'path', 'blob', 'seq'])
          .where('project_id', '=', project.id)
          .where('seq', '<=', seq)
          .orderBy('file_id')
          .orderBy('seq', 'desc')
          .execute()
  const seqs = [...new Set(rows.map((row) => row.seq))]
  const times = await scoped(ctx, 'worksheet_commits')
    .select(['seq', 'committed_at'])
    .where('project_id', '=', project.id)
    .where(sql<boolean>`seq = any(${seqs}::int[])`)
    .execute()
  const timeBySeq = new Map(times.map((row) => [row.seq, row.committed_at]))
  const files = new Map<string, LiveFileRow>()
  for (const { file_id, path, blob, seq } of rows) {
    const changed_at = timeBySeq.get(seq) ?? project.created_at
    if (blob !== null) files.set(file_id, { path, blob, seq, changed_at })
  }
  return files
}

const changes = (ctx: AccountScope, projectId: number) =>
  selectCommits(ctx, projectId)
    .innerJoin('worksheet_changes', (join) =>
      join
        .onRef('worksheet_changes.project_id', '=', 'worksheet_commits.project_id')
        .onRef('worksheet_changes.seq', '=', 'worksheet_commits.seq'),
    )
    .select([
      'worksheet_changes.file_id',
      'worksheet_changes.change',
      'worksheet_changes.path',
      'worksheet_changes.previous_path',
      'worksheet_changes.blob',
    ])

export async function findFileChanges(
  ctx: AccountScope,
  projectId: number,
  page: { fileId: string; before: number | undefined; limit: number },
): Promise<ChangeRow[]> {
  let query = changes(ctx, projectId)
    .where('worksheet_changes.file_id', '=', page.fileId)
    .orderBy('worksheet_commits.seq', 'desc')
    .limit(page.limit)
  if (page.before !== undefined) query = query.where('worksheet_commits.seq', '<', page.before)
  return await query.execute()
}

export async function findCommitChanges(ctx: AccountScope, projectId: number, seq: number): Promise<ChangeRow[]> {
  return await changes(ctx, projectId)
    .where('worksheet_commits.seq', '=', seq)
    .orderBy('worksheet_changes.path')
    .execute()
}

const MAX_DELETED = 200

export async function findDeletedFiles(ctx: AccountScope, projectId: number): Promise<ChangeRow[]> {
  return await changes(ctx, projectId)
    .where('worksheet_changes.change', '=', 'deleted')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('worksheet_live_files')
            .select('worksheet_live_files.file_id')
            .whereRef('worksheet_live_files.project_id', '=', 'worksheet_changes.project_id')
            .whereRef('worksheet_live_files.file_id', '=', 'worksheet_changes.file_id'),
        ),
      ),
    )
    .orderBy('worksheet_commits.seq', 'desc')
    .limit(MAX_DELETED)
    .execute()
}

export interface NewCommit {
  readonly commitId: string
  readonly message: string
  readonly authorId: number | null
  readonly authorName: string
  readonly at: Date
  readonly changes: readonly FileChange[]
}

/** The project must be locked. */
export async function appendCommit(ctx: WorkspaceScope, project: ProjectRow, commit: NewCommit): Promise<ProjectRow> {
  const seq = project.live_seq + 1
  await insertScoped(ctx, 'worksheet_commits', {
    project_id: project.id,
    seq,
    commit_id: commit.commitId,
    message: commit.message,
    author_id: commit.authorId,
    author_name: commit.authorName,
    committed_at: commit.at,
  }).execute()
  await insertChanges(ctx, project.id, { seq, changes: commit.changes })
  await updateProjectRow(ctx, project.id, { live_seq: seq })
  return { ...project, live_seq: seq }
}

async function insertChanges(
  ctx: AccountScope,
  projectId: number,
  { seq, changes }: { seq: number; changes: readonly FileChange[] },
): Promise<void> {
  if (changes.length === 0) return
  const column = <K extends keyof FileChange>(name: K) => changes.map((change) => change[name])
  await sql`
    insert into worksheet_changes (project_id, account_id, seq, file_id, change, path, previous_path, blob)
    select ${projectId}, ${ctx.account.id}, ${seq}, file_id, change, path, previous_path, blob
      from unnest(${column('fileId')}::text[], ${column('change')}::text[], ${column('path')}::text[],
                  ${column('previousPath')}::text[], ${column('blob')}::text[])
        as given(file_id, change, path, previous_path, blob)`.execute(ctx.db)
  await deleteScoped(ctx, 'worksheet_live_files')
    .where('project_id', '=', projectId)
    .where(sql<boolean>`file_id = any(${column('fileId')}::text[])`)
    .execute()
  await sql`
    insert into worksheet_live_files (project_id, account_id, seq, file_id, path, blob)
    select project_id, account_id, seq, file_id, path, blob from worksheet_changes
     where project_id = ${projectId} and account_id = ${ctx.account.id} and seq = ${seq} and blob is not null`.execute(
    ctx.db,
  )
}
