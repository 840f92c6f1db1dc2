import type { FileCreate, FileUpdate, UserFile } from '@trellis/contract/worksheets/worksheets.schemas'
import type * as z from 'zod/mini'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { generateTrellisCode } from '../../platform/trellis-code.ts'
import {
  type BranchState,
  type LockedBranch,
  assertFileLimit,
  assertFree,
  changeBranch,
  getFolderPath,
  buildPathIndex,
  listWorkingPaths,
  fileNotFoundError,
  readBranch,
  writeDraft,
} from './branch-state.ts'
import { findConflicts } from './conflicts.repository.ts'
import { deleteDrafts, findDraft } from './drafts.repository.ts'
import { saveVersion } from './kept-versions.repository.ts'
import { getFolder, getName, joinPath } from './merge/paths.ts'
import { getDraftState } from './merge/trees.ts'
import { findTexts } from './objects.repository.ts'
import { toPlace } from './show-branch.ts'
import { upsertOpened } from './usage/opened-worksheets.repository.ts'

const KEEP_INTERVAL_MS = 10 * 60_000

type NewFile = z.output<typeof FileCreate>
type Change = z.output<typeof FileUpdate>

export interface WorkingFile {
  readonly path: string
  readonly content: string
  readonly version: string
}

export async function findWorkingFile(
  ctx: WorkspaceCtx,
  { project, branch, base }: BranchState,
  fileId: string,
): Promise<WorkingFile | undefined> {
  const draft = branch && (await findDraft(ctx, branch.id, fileId))
  const was = base.get(fileId)
  const path = draft ? draft.path : (was?.path ?? null)
  if (path === null) return undefined
  const version = draft ? `d${draft.version}` : `l${was?.seq ?? 0}`
  const text = draft?.content ?? undefined
  if (text !== undefined) return { path, content: text, version }
  const texts = was ? await findTexts(ctx, project.id, [was.blob]) : undefined
  return { path, content: (was && texts?.get(was.blob)) ?? '', version }
}

export async function getUserFile(
  ctx: WorkspaceCtx,
  params: { project_id: string; file_id: string },
): Promise<UserFile> {
  const state = await readBranch(ctx, params.project_id)
  const file = await showUserFile(ctx, state, params.file_id)
  await upsertOpened(ctx, { projectId: state.project.id, fileId: file.file_id, at: ctx.clock.now() })
  return file
}

async function showUserFile(ctx: WorkspaceCtx, state: BranchState, fileId: string): Promise<UserFile> {
  const { project, branch, base, drafts } = state
  const file = await findWorkingFile(ctx, state, fileId)
  if (!file) throw fileNotFoundError()
  const draft = drafts.get(fileId)
  const updated = draft?.updated_at ?? base.get(fileId)?.changed_at ?? project.created_at
  const conflicts = branch ? await findConflicts(ctx, branch.id) : new Map<string, never>()
  return {
    file_id: fileId,
    ...toPlace(project, file.path),
    content: file.content,
    change: getDraftState(base.get(fileId), draft),
    has_conflict: conflicts.has(fileId),
    version: file.version,
    updated_at: updated.toISOString(),
  }
}

const toFileName = (name: string) => (/\.[A-Za-z0-9]{1,10}$/.test(name) ? name : `${name}.sql`)

export async function createFile(ctx: WorkspaceCtx, body: NewFile): Promise<UserFile> {
  const fileId = generateTrellisCode()
  await changeBranch(ctx, body.project_id, async (ctx, state) => {
    assertFileLimit(listWorkingPaths(state).size + 1)
    const path = joinPath(getFolderPath(state, body.folder_id), toFileName(body.name))
    assertFree(buildPathIndex(state), path)
    await writeDraft(ctx, state, { fileId, path, content: body.content })
  })
  return await getUserFile(ctx, { project_id: body.project_id, file_id: fileId })
}

export async function updateFile(ctx: WorkspaceCtx, body: Change): Promise<UserFile> {
  if (body.content !== undefined && body.version === undefined) {
    throw new AppError('invalid_request', 'version: Field required', { source: { pointer: '/version' } })
  }
  const isSaved = await changeBranch(ctx, body.project_id, (ctx, state) => changeFile(ctx, state, body))
  if (!isSaved) {
    throw new AppError(
      'conflict',
      'This file was changed in another tab or by a pull. Your text is kept among its versions; load the file again.',
      { source: { pointer: '/version' } },
    )
  }
  return await getUserFile(ctx, body)
}

/** False if the text is based on an older version. */
async function changeFile(ctx: WorkspaceCtx, state: LockedBranch, body: Change): Promise<boolean> {
  const { file_id: fileId, content } = body
  const file = await findWorkingFile(ctx, state, fileId)
  if (content !== undefined && file?.version !== body.version && content !== file?.content) {
    const path = file?.path ?? state.base.get(fileId)?.path
    if (path === undefined) throw fileNotFoundError()
    await saveVersion(ctx, state.branch.id, { fileId, path, content, reason: 'other_tab', at: ctx.clock.now() })
    return false
  }
  if (!file) throw fileNotFoundError()
  const folder = body.folder_id === undefined ? getFolder(file.path) : getFolderPath(state, body.folder_id)
  const path = joinPath(folder, body.name === undefined ? getName(file.path) : toFileName(body.name))
  if (path !== file.path) assertFree(buildPathIndex(state, new Set([fileId])), path)
  const keptAt = await saveVersionPeriodically(ctx, state, { ...file, fileId, next: content })
  await writeDraft(ctx, state, { fileId, path, content: content ?? file.content, keptAt })
  return true
}

async function saveVersionPeriodically(
  ctx: WorkspaceCtx,
  { branch, drafts }: LockedBranch,
  file: WorkingFile & { fileId: string; next: string | undefined },
): Promise<Date> {
  const at = ctx.clock.now()
  const keptAt = drafts.get(file.fileId)?.kept_at ?? at
  const isDue = at.getTime() - keptAt.getTime() > KEEP_INTERVAL_MS
  if (!isDue || file.next === undefined || file.next === file.content) return keptAt
  await saveVersion(ctx, branch.id, { ...file, reason: 'saved', at })
  return at
}

export async function deleteFile(
  ctx: WorkspaceCtx,
  { project_id, file_id }: { project_id: string; file_id: string },
): Promise<{ done: true }> {
  await changeBranch(ctx, project_id, (ctx, state) => removeFile(ctx, state, file_id))
  return { done: true }
}

export async function removeFile(ctx: WorkspaceCtx, state: LockedBranch, fileId: string): Promise<void> {
  const file = await findWorkingFile(ctx, state, fileId)
  if (!file) throw fileNotFoundError()
  await saveUnpublishedVersion(ctx, state, { fileId, reason: 'deleted' })
  if (state.base.has(fileId)) await writeDraft(ctx, state, { fileId, path: null, content: null })
  else await deleteDrafts(ctx, state.branch.id, [fileId])
}

export async function saveUnpublishedVersion(
  ctx: WorkspaceCtx,
  { branch }: LockedBranch,
  { fileId, reason }: { fileId: string; reason: 'deleted' | 'discarded' | 'restored' | 'resolved' },
): Promise<void> {
  const draft = await findDraft(ctx, branch.id, fileId)
  const { path = null, content = null } = draft ?? {}
  if (path === null || content === null) return
  await saveVersion(ctx, branch.id, { fileId, path, content, reason, at: ctx.clock.now() })
}
