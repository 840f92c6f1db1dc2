import type {
  Commit,
  FileLine,
  Folder,
  UnpublishedChange,
  UserBranch,
} from '@trellis/contract/worksheets/worksheets.schemas'
import { allows } from '@trellis/contract/core/permissions'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { type BranchState, listFolderPaths, listWorkingPaths, toFolderId } from './branch-state.ts'
import { type ChangedFile, type ChangedText, findChangedTexts } from './changed-texts.repository.ts'
import { findConflicts } from './conflicts.repository.ts'
import { type CommitRow, type LiveFileRow, getCommitAt } from './live.repository.ts'
import { countChangedLines } from './merge/merge-text.ts'
import { getFolder, getName } from './merge/paths.ts'
import { getDraftState } from './merge/trees.ts'
import type { ProjectRow } from './projects.repository.ts'

const MAX_COUNTED_FILES = 50
const MAX_COUNTED_LENGTH = 200_000
/** At most three UTF-8 bytes per UTF-16 unit. */
const MAX_COUNTED_BYTES = 3 * MAX_COUNTED_LENGTH

export const toCommit = (row: CommitRow): Commit => ({
  commit_id: row.commit_id,
  message: row.message,
  author: { trellis_user_code: row.author_code, name: row.author_name },
  committed_at: row.committed_at.toISOString(),
})

export const toFolder = (project: ProjectRow, path: string): Folder => ({
  folder_id: toFolderId(project, path),
  parent_id: toFolderId(project, getFolder(path)),
  name: getName(path),
  path,
})

export const toPlace = (project: ProjectRow, path: string) => ({
  folder_id: toFolderId(project, getFolder(path)),
  name: getName(path),
  path,
})

const byPath = (left: { path: string }, right: { path: string }) => (left.path < right.path ? -1 : 1)

export function showLiveTree(project: ProjectRow, live: ReadonlyMap<string, LiveFileRow>) {
  const files = [...live].map(([file_id, { path, changed_at }]): FileLine => ({
    file_id,
    ...toPlace(project, path),
    change: 'unchanged',
    has_conflict: false,
    updated_at: changed_at.toISOString(),
  }))
  const folders = listFolderPaths(files.map(({ path }) => path))
  return { folders: folders.map((path) => toFolder(project, path)), files: files.toSorted(byPath) }
}

export function showUserTree(state: BranchState, conflicts: Conflicts) {
  const { project, base, drafts, emptyFolders } = state
  const paths = listWorkingPaths(state)
  const files = [...paths].map(([file_id, path]): FileLine => {
    const draft = drafts.get(file_id)
    const updated = draft?.updated_at ?? base.get(file_id)?.changed_at ?? project.created_at
    return {
      file_id,
      ...toPlace(project, path),
      change: getDraftState(base.get(file_id), draft),
      has_conflict: conflicts.has(file_id),
      updated_at: updated.toISOString(),
    }
  })
  const folders = listFolderPaths(paths.values(), emptyFolders)
  return { folders: folders.map((path) => toFolder(project, path)), files: files.toSorted(byPath) }
}

type Conflicts = ReadonlyMap<string, unknown>
type StateWithConflicts = BranchState & { readonly conflicts: Conflicts }

export async function listChanges(
  ctx: WorkspaceCtx,
  states: readonly StateWithConflicts[],
): Promise<UnpublishedChange[]> {
  const countedChangedFiles = states.flatMap((state) => listCountedFiles(state))
  const texts = await findChangedTexts(ctx, countedChangedFiles, MAX_COUNTED_BYTES)
  const places = new Map(countedChangedFiles.map(({ branchId, fileId }, at) => [`${branchId} ${fileId}`, at]))
  const findText = (branchId: number | undefined, fileId: string) =>
    texts.get(places.get(`${branchId} ${fileId}`) ?? Number.NaN)
  return states.flatMap(({ project, branch, base, drafts, conflicts }) =>
    [...drafts]
      .map(([file_id, line]): UnpublishedChange => {
        const was = base.get(file_id)
        const change = getDraftState(was, line)
        return {
          project_id: project.trellis_code,
          file_id,
          path: line.path ?? was?.path ?? '',
          previous_path: change === 'renamed' ? (was?.path ?? null) : null,
          change: change === 'unchanged' ? 'edited' : change,
          has_conflict: conflicts.has(file_id),
          ...countLines(findText(branch?.id, file_id)),
          updated_at: line.updated_at.toISOString(),
        }
      })
      .toSorted(byPath),
  )
}

function listCountedFiles({ project, branch, base, drafts }: BranchState): ChangedFile[] {
  if (!branch) return []
  return [...drafts]
    .toSorted(([, left], [, right]) => right.updated_at.getTime() - left.updated_at.getTime())
    .slice(0, MAX_COUNTED_FILES)
    .map(([fileId]) => ({
      projectId: project.id,
      branchId: branch.id,
      fileId,
      blob: base.get(fileId)?.blob ?? null,
    }))
}

function countLines(text: ChangedText | undefined) {
  const isCounted = text && text.before.length + text.after.length < MAX_COUNTED_LENGTH
  const counted = isCounted ? countChangedLines(text.before, text.after) : undefined
  return { added_lines: counted?.added ?? null, deleted_lines: counted?.deleted ?? null }
}

export async function showBranch(ctx: WorkspaceCtx, state: BranchState): Promise<UserBranch> {
  const { project, branch } = state
  const seq = branch?.base_seq ?? project.live_seq
  const conflicts: Conflicts = branch ? await findConflicts(ctx, branch.id) : new Map()
  const changes = await listChanges(ctx, [{ ...state, conflicts }])
  const behind_count = project.live_seq - seq
  const mayPublish = allows('worksheets:publish', {
    accountRole: ctx.account.role,
    workspaceRole: ctx.workspace.role,
  })
  return {
    project_id: project.trellis_code,
    name: getBranchName(ctx),
    base: toCommit(await getCommitAt(ctx, project.id, seq)),
    behind_count,
    conflict_count: conflicts.size,
    can_push: mayPublish && behind_count === 0 && conflicts.size === 0 && changes.length > 0,
    changes,
  }
}

export const getBranchName = ({ actor }: Pick<WorkspaceCtx, 'actor'>): string => `users/${actor.userCode}`
