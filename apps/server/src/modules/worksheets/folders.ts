import type { Folder, FolderCreate, FolderUpdate } from '@trellis/contract/worksheets/worksheets.schemas'
import type * as z from 'zod/mini'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import {
  assertFree,
  changeBranch,
  getFolderPath,
  buildPathIndex,
  listFolderPaths,
  listWorkingPaths,
  readBranch,
  writeDraft,
} from './branch-state.ts'
import { deleteFolders, findDraft, insertFolders } from './drafts.repository.ts'
import { removeFile } from './files.ts'
import { getFolder, getName, joinPath, toPathKey } from './merge/paths.ts'
import { toFolder } from './show-branch.ts'

const MAX_EMPTY_FOLDERS = 500

const nameTakenError = () =>
  new AppError('conflict', 'Something with this name is there already. Choose another one.', {
    source: { pointer: '/name' },
  })
const isInside = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

export async function listFolders(ctx: WorkspaceCtx, projectId: string): Promise<Folder[]> {
  const state = await readBranch(ctx, projectId)
  const paths = listFolderPaths(listWorkingPaths(state).values(), state.emptyFolders)
  return paths.map((path) => toFolder(state.project, path))
}

export async function createFolder(ctx: WorkspaceCtx, body: z.output<typeof FolderCreate>): Promise<Folder> {
  return await changeBranch(ctx, body.project_id, async (ctx, state) => {
    if (state.emptyFolders.length >= MAX_EMPTY_FOLDERS) {
      throw new AppError('limit_reached', `A branch can have ${MAX_EMPTY_FOLDERS} empty folders.`)
    }
    const path = joinPath(getFolderPath(state, body.parent_id), body.name)
    const folders = listFolderPaths(listWorkingPaths(state).values(), state.emptyFolders)
    if (folders.some((folder) => toPathKey(folder) === toPathKey(path))) throw nameTakenError()
    assertFree(buildPathIndex(state), path)
    await insertFolders(ctx, state.branch.id, [path])
    return toFolder(state.project, path)
  })
}

export async function updateFolder(ctx: WorkspaceCtx, body: z.output<typeof FolderUpdate>): Promise<Folder> {
  return await changeBranch(ctx, body.project_id, async (ctx, state) => {
    const from = getExistingFolder(getFolderPath(state, body.folder_id))
    const parent = body.parent_id === undefined ? getFolder(from) : getFolderPath(state, body.parent_id)
    const to = joinPath(parent, body.name ?? getName(from))
    if (to === from) return toFolder(state.project, from)
    if (isInside(parent, from)) throw new AppError('conflict', 'A folder can not be moved into itself.')
    const paths = listWorkingPaths(state)
    const inside = [...paths].filter(([, path]) => isInside(path, from))
    const others = listFolderPaths(
      [...paths.values()].filter((path) => !isInside(path, from)),
      state.emptyFolders.filter((path) => !isInside(path, from)),
    )
    if (others.some((folder) => toPathKey(folder) === toPathKey(to))) throw nameTakenError()
    const index = buildPathIndex(state, new Set(inside.map(([fileId]) => fileId)))
    assertFree(index, to)
    for (const [fileId, path] of inside) {
      const moved = `${to}${path.slice(from.length)}`
      assertFree(index, moved)
      const content = (await findDraft(ctx, state.branch.id, fileId))?.content ?? null
      await writeDraft(ctx, state, { fileId, path: moved, content })
    }
    const empty = state.emptyFolders.filter((path) => isInside(path, from))
    await deleteFolders(ctx, state.branch.id, empty)
    await insertFolders(ctx, state.branch.id, [to, ...empty.map((path) => `${to}${path.slice(from.length)}`)])
    return toFolder(state.project, to)
  })
}

export async function deleteFolder(
  ctx: WorkspaceCtx,
  { project_id, folder_id }: { project_id: string; folder_id: string },
): Promise<{ done: true }> {
  await changeBranch(ctx, project_id, async (ctx, state) => {
    const folder = getExistingFolder(getFolderPath(state, folder_id))
    for (const [fileId, path] of listWorkingPaths(state)) {
      if (isInside(path, folder)) await removeFile(ctx, state, fileId)
    }
    await deleteFolders(
      ctx,
      state.branch.id,
      state.emptyFolders.filter((path) => isInside(path, folder)),
    )
  })
  return { done: true }
}

function getExistingFolder(path: string): string {
  if (path === '') throw new AppError('conflict', 'This is the project itself. Rename or delete the project instead.')
  return path
}
