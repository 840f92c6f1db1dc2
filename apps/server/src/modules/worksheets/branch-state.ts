import { createHash } from 'node:crypto'
import { MAX_FILES, MAX_FOLDER_DEPTH, ROOT_FOLDER_ID } from '@trellis/contract/worksheets/worksheets.schemas'
import { transaction } from '@trellis/control-db/database'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { hashText } from '../../platform/git/objects.ts'
import {
  type BranchRow,
  type DraftRow,
  deleteDrafts,
  findBranch,
  findDraftLines,
  findFolders,
  lockBranch,
  putDraft,
  sumDraftBytes,
} from './drafts.repository.ts'
import { type LiveFileRow, findTree } from './live.repository.ts'
import { type PathIndex, createPathIndex, listFolders } from './merge/paths.ts'
import { type Draft, listPaths } from './merge/trees.ts'
import { type ProjectRow, findProject } from './projects.repository.ts'

const MAX_BRANCH_BYTES = 50 * 1024 * 1024
const MAX_PATH_LENGTH = 500

export const projectNotFoundError = () => new AppError('not_found', 'There is no such project.')
export const fileNotFoundError = () => new AppError('not_found', 'There is no such file.')

export interface BranchState {
  readonly project: ProjectRow
  readonly branch: BranchRow | undefined
  readonly base: ReadonlyMap<string, LiveFileRow>
  readonly drafts: ReadonlyMap<string, DraftRow>
  readonly emptyFolders: readonly string[]
}
export interface LockedBranch extends BranchState {
  readonly branch: BranchRow
}

export async function readBranch(ctx: WorkspaceCtx, code: string): Promise<BranchState> {
  const project = await findProject(ctx, code)
  if (!project) throw projectNotFoundError()
  const branch = await findBranch(ctx, { projectId: project.id, profileId: ctx.actor.profileId })
  return await readState(ctx, project, branch)
}

async function readState<B extends BranchRow | undefined>(ctx: WorkspaceCtx, project: ProjectRow, branch: B) {
  return {
    project,
    branch,
    base: await findTree(ctx, project, branch?.base_seq),
    drafts: branch ? await findDraftLines(ctx, branch.id) : new Map<string, DraftRow>(),
    emptyFolders: branch ? await findFolders(ctx, branch.id) : [],
  }
}

/** Serialised by the branch's lock. */
export async function changeBranch<R>(
  ctx: WorkspaceCtx,
  code: string,
  change: (ctx: WorkspaceCtx, state: LockedBranch) => Promise<R>,
): Promise<R> {
  return await transaction(ctx, async (ctx) => {
    const project = await findProject(ctx, code)
    if (!project) throw projectNotFoundError()
    const branch = await lockBranch(ctx, {
      projectId: project.id,
      profileId: ctx.actor.profileId,
      liveSeq: project.live_seq,
    })
    return await change(ctx, await readState(ctx, project, branch))
  })
}

export async function writeDraft(
  ctx: WorkspaceCtx,
  { branch, base }: Pick<LockedBranch, 'branch' | 'base'>,
  draft: Draft & { fileId: string; keptAt?: Date },
): Promise<void> {
  const was = base.get(draft.fileId)
  const isBaseText = was !== undefined && (draft.content === null || hashText(draft.content) === was.blob)
  if (isBaseText && draft.path === was.path) return await deleteDrafts(ctx, branch.id, [draft.fileId])
  const at = ctx.clock.now()
  const content = isBaseText || draft.path === null ? null : draft.content
  await putDraft(ctx, branch.id, { keptAt: at, ...draft, content, at })
  if (content !== null && (await sumDraftBytes(ctx, branch.id)) > MAX_BRANCH_BYTES) {
    throw new AppError('limit_reached', 'Unpublished changes of a project may have 50 MB together. Publish some first.')
  }
}

export function listWorkingPaths({ base, drafts }: Pick<BranchState, 'base' | 'drafts'>): Map<string, string> {
  return listPaths(base, drafts)
}

export function buildPathIndex(state: BranchState, except: ReadonlySet<string> = new Set()): PathIndex {
  return createPathIndex([...listWorkingPaths(state)].filter(([id]) => !except.has(id)).map(([, path]) => path))
}

export function assertFree(index: PathIndex, path: string): void {
  if (path.length > MAX_PATH_LENGTH || listFolders(path).length > MAX_FOLDER_DEPTH) {
    throw new AppError('conflict', `Folders may be ${MAX_FOLDER_DEPTH} deep, and a path 500 characters long.`)
  }
  if (index.findCollision(path) === undefined) return
  throw new AppError('conflict', 'Something with this name is there already. Choose another one.', {
    source: { pointer: '/name' },
  })
}

export function assertFileLimit(count: number): void {
  if (count <= MAX_FILES) return
  throw new AppError('limit_reached', `A project can have ${MAX_FILES.toLocaleString('en')} files.`)
}

/** Folders have no rows; their id is derived from the path. */
export function toFolderId(project: ProjectRow, path: string): string {
  if (path === '') return ROOT_FOLDER_ID
  return createHash('sha256').update(`${project.trellis_code}/${path}`).digest('hex').slice(0, 20)
}

export function listFolderPaths(paths: Iterable<string>, emptyFolders: readonly string[] = []): string[] {
  const folders = new Set<string>()
  for (const path of paths) for (const folder of listFolders(path)) folders.add(folder)
  for (const path of emptyFolders) for (const folder of [...listFolders(path), path]) folders.add(folder)
  return [...folders].toSorted()
}

export function getFolderPath(state: BranchState, folderId: string): string {
  if (folderId === ROOT_FOLDER_ID) return ''
  const folders = listFolderPaths(listWorkingPaths(state).values(), state.emptyFolders)
  const folder = folders.find((path) => toFolderId(state.project, path) === folderId)
  if (folder === undefined) throw new AppError('not_found', 'There is no such folder.')
  return folder
}
