import { HISTORY_PAGE } from '@trellis/contract/worksheets/worksheets.schemas'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { fileNotFoundError, projectNotFoundError, readBranch } from './branch-state.ts'
import { findWorkingFile } from './files.ts'
import {
  type ChangeRow,
  findCommit,
  findCommitChanges,
  findCommits,
  findFileChanges,
  findTree,
  getCommitAt,
} from './live.repository.ts'
import { getDraftState } from './merge/trees.ts'
import { findTexts } from './objects.repository.ts'
import { type ProjectRow, findProject } from './projects.repository.ts'
import { toCommit, toPlace } from './show-branch.ts'

interface FilePath {
  readonly project_id: string
  readonly file_id: string
}

async function getProjectRow(ctx: WorkspaceCtx, code: string): Promise<ProjectRow> {
  const project = await findProject(ctx, code)
  if (!project) throw projectNotFoundError()
  return project
}

const toChange = ({ file_id, path, previous_path, change }: ChangeRow) => ({ file_id, path, previous_path, change })

async function getSeq(ctx: WorkspaceCtx, project: ProjectRow, commitId: string): Promise<number> {
  const commit = await findCommit(ctx, project.id, commitId)
  if (!commit) throw new AppError('not_found', 'There is no such commit.')
  return commit.seq
}

export async function getLiveHead(ctx: WorkspaceCtx, code: string) {
  const { project, branch } = await readBranch(ctx, code)
  return {
    project_id: project.trellis_code,
    commit: toCommit(await getCommitAt(ctx, project.id, project.live_seq)),
    behind_count: project.live_seq - (branch?.base_seq ?? project.live_seq),
  }
}

export async function getLiveFile(ctx: WorkspaceCtx, params: FilePath) {
  const project = await getProjectRow(ctx, params.project_id)
  const file = (await findTree(ctx, project)).get(params.file_id)
  if (!file) throw fileNotFoundError()
  const content = (await findTexts(ctx, project.id, [file.blob])).get(file.blob) ?? ''
  return {
    file_id: params.file_id,
    ...toPlace(project, file.path),
    content,
    last_commit: toCommit(await getCommitAt(ctx, project.id, file.seq)),
  }
}

export async function listProjectHistory(ctx: WorkspaceCtx, code: string, page: { before?: string | undefined }) {
  const project = await getProjectRow(ctx, code)
  const before = page.before === undefined ? undefined : await getSeq(ctx, project, page.before)
  const rows = await findCommits(ctx, project.id, { before, limit: HISTORY_PAGE + 1 })
  const items = rows.slice(0, HISTORY_PAGE).map((row) => toCommit(row))
  return { items, next_before: rows.length > HISTORY_PAGE ? (items.at(-1)?.commit_id ?? null) : null }
}

export async function getCommit(ctx: WorkspaceCtx, params: { project_id: string; commit_id: string }) {
  const project = await getProjectRow(ctx, params.project_id)
  const seq = await getSeq(ctx, project, params.commit_id)
  const commit = await getCommitAt(ctx, project.id, seq)
  const changes = await findCommitChanges(ctx, project.id, seq)
  return { ...toCommit(commit), changes: changes.map((row) => toChange(row)) }
}

export async function listFileHistory(ctx: WorkspaceCtx, params: FilePath, page: { before?: string | undefined }) {
  const project = await getProjectRow(ctx, params.project_id)
  const before = page.before === undefined ? undefined : await getSeq(ctx, project, page.before)
  const where = { fileId: params.file_id, before, limit: HISTORY_PAGE + 1 }
  const rows = await findFileChanges(ctx, project.id, where)
  const items = rows.slice(0, HISTORY_PAGE).map((row) => ({ ...toChange(row), commit: toCommit(row) }))
  return { items, next_before: rows.length > HISTORY_PAGE ? (items.at(-1)?.commit.commit_id ?? null) : null }
}

export async function getFileDiff(ctx: WorkspaceCtx, params: FilePath & { commit_id: string }) {
  const project = await getProjectRow(ctx, params.project_id)
  const seq = await getSeq(ctx, project, params.commit_id)
  const where = { fileId: params.file_id, before: seq + 1, limit: 2 }
  const [change, earlier] = await findFileChanges(ctx, project.id, where)
  if (!change || change.seq !== seq) throw fileNotFoundError()
  const texts = await findTexts(
    ctx,
    project.id,
    [change.blob, earlier?.blob ?? null].filter((blob) => blob !== null),
  )
  const read = (blob: string | null) => (blob === null ? null : (texts.get(blob) ?? ''))
  return { ...toChange(change), before: read(earlier?.blob ?? null), after: read(change.blob) }
}

export async function getUserFileDiff(ctx: WorkspaceCtx, params: FilePath) {
  const state = await readBranch(ctx, params.project_id)
  const draft = state.drafts.get(params.file_id)
  const was = state.base.get(params.file_id)
  const change = getDraftState(was, draft)
  if (change === 'unchanged') throw new AppError('not_found', 'You have not changed this file.')
  const file = await findWorkingFile(ctx, state, params.file_id)
  const texts = was ? await findTexts(ctx, state.project.id, [was.blob]) : undefined
  return {
    file_id: params.file_id,
    path: file?.path ?? was?.path ?? '',
    previous_path: change === 'renamed' ? (was?.path ?? null) : null,
    change,
    before: was ? (texts?.get(was.blob) ?? '') : null,
    after: file?.content ?? null,
  }
}
