import type { DeletedFile, DraftVersion, FileRestore, UserFile } from '@trellis/contract/worksheets/worksheets.schemas'
import type * as z from 'zod/mini'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import {
  type LockedBranch,
  assertFileLimit,
  changeBranch,
  buildPathIndex,
  listWorkingPaths,
  fileNotFoundError,
  readBranch,
  writeDraft,
} from './branch-state.ts'
import { findConflicts } from './conflicts.repository.ts'
import { deleteDrafts } from './drafts.repository.ts'
import { findWorkingFile, getUserFile, saveUnpublishedVersion } from './files.ts'
import { type KeptVersionRow, findKeptFiles, findKeptVersion, findKeptVersions } from './kept-versions.repository.ts'
import { findCommit, findDeletedFiles, findFileChanges } from './live.repository.ts'
import { findFreePath } from './merge/paths.ts'
import { findTexts } from './objects.repository.ts'

const versionNotFoundError = () => new AppError('not_found', 'There is no such version of this file.')

type Restore = z.output<typeof FileRestore>

/** Keeps the replaced text as a backup version; a deleted file keeps its id. */
export async function restoreFile(ctx: WorkspaceCtx, body: Restore): Promise<UserFile> {
  if ((body.commit_id === undefined) === (body.draft_version_id === undefined)) {
    throw new AppError('invalid_request', 'Name a commit or a draft version, one of the two.')
  }
  await changeBranch(ctx, body.project_id, async (ctx, state) => {
    const version =
      body.commit_id === undefined
        ? await findKeptVersion(ctx, state.branch.id, { fileId: body.file_id, id: body.draft_version_id ?? 0 })
        : await findPublished(ctx, state, { fileId: body.file_id, commitId: body.commit_id })
    if (!version) throw versionNotFoundError()
    const file = await findWorkingFile(ctx, state, body.file_id)
    if (!file) assertFileLimit(listWorkingPaths(state).size + 1)
    const path = file?.path ?? findFreePath(buildPathIndex(state, new Set([body.file_id])), version.path)
    await saveUnpublishedVersion(ctx, state, { fileId: body.file_id, reason: 'restored' })
    await writeDraft(ctx, state, { fileId: body.file_id, path, content: version.content })
  })
  return await getUserFile(ctx, body)
}

/** The text before the commit, if it deleted the file. */
async function findPublished(
  ctx: WorkspaceCtx,
  { project }: LockedBranch,
  where: { fileId: string; commitId: string },
): Promise<{ path: string; content: string } | undefined> {
  const commit = await findCommit(ctx, project.id, where.commitId)
  if (!commit) return undefined
  const changes = await findFileChanges(ctx, project.id, { fileId: where.fileId, before: commit.seq + 1, limit: 2 })
  const change = changes.find(({ blob }) => blob !== null)
  if (!change || change.blob === null) return undefined
  const content = (await findTexts(ctx, project.id, [change.blob])).get(change.blob) ?? ''
  return { path: change.path, content }
}

export async function discardChanges(
  ctx: WorkspaceCtx,
  { project_id, file_id }: { project_id: string; file_id: string },
): Promise<{ done: true }> {
  await changeBranch(ctx, project_id, async (ctx, state) => {
    if (!state.drafts.has(file_id)) throw fileNotFoundError()
    if ((await findConflicts(ctx, state.branch.id)).has(file_id)) {
      throw new AppError('conflict', 'This file has a conflict. Resolve it with the live version instead.')
    }
    const was = state.base.get(file_id)
    const isTaken = was && buildPathIndex(state, new Set([file_id])).findCollision(was.path) !== undefined
    if (isTaken) throw new AppError('conflict', 'Another file is where this one was. Rename that one first.')
    await saveUnpublishedVersion(ctx, state, { fileId: file_id, reason: 'discarded' })
    await deleteDrafts(ctx, state.branch.id, [file_id])
  })
  return { done: true }
}

const toDraftVersion = ({ id, path, reason, size_bytes, saved_at }: KeptVersionRow): DraftVersion => ({
  draft_version_id: id,
  path,
  reason: reason as DraftVersion['reason'],
  size_bytes,
  saved_at: saved_at.toISOString(),
})

export async function listDraftVersions(
  ctx: WorkspaceCtx,
  params: { project_id: string; file_id: string },
): Promise<DraftVersion[]> {
  const { branch } = await readBranch(ctx, params.project_id)
  return branch ? (await findKeptVersions(ctx, branch.id, params.file_id)).map(toDraftVersion) : []
}

export async function getDraftVersion(
  ctx: WorkspaceCtx,
  params: { project_id: string; file_id: string; draft_version_id: number },
) {
  const { branch } = await readBranch(ctx, params.project_id)
  const where = { fileId: params.file_id, id: params.draft_version_id }
  const version = branch && (await findKeptVersion(ctx, branch.id, where))
  if (!version) throw versionNotFoundError()
  return { ...toDraftVersion(version), content: version.content }
}

export async function listDeletedFiles(ctx: WorkspaceCtx, code: string): Promise<DeletedFile[]> {
  const state = await readBranch(ctx, code)
  const paths = listWorkingPaths(state)
  const published = await findDeletedFiles(ctx, state.project.id)
  const kept = state.branch ? await findKeptFiles(ctx, state.branch.id) : []
  const files = new Map<string, DeletedFile>()
  for (const row of published) {
    const { file_id, path, commit_id, committed_at } = row
    files.set(file_id, { file_id, path, commit_id, draft_version_id: null, deleted_at: committed_at.toISOString() })
  }
  for (const { file_id, id, path, saved_at } of kept) {
    const commit_id = files.get(file_id)?.commit_id ?? null
    files.set(file_id, { file_id, path, commit_id, draft_version_id: id, deleted_at: saved_at.toISOString() })
  }
  return [...files.values()].filter(({ file_id }) => !paths.has(file_id))
}
