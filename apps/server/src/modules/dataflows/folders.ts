import type { Folder } from '@trellis/contract/dataflows/dataflows.schemas'
import { transaction } from '@trellis/control-db/database'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { generateTrellisCode } from '../../platform/trellis-code.ts'
import {
  type FolderRow,
  deleteFolderRow,
  findFolders,
  insertFolder,
  lockFolders,
  updateFolderRow,
} from './folders.repository.ts'

const MAX_FOLDERS = 500
const MAX_DEPTH = 8

const folderNotFoundError = () => new AppError('not_found', 'There is no such folder.')

export const toFolder = (row: FolderRow, folders: readonly FolderRow[]): Folder => ({
  trellis_code: row.trellis_code,
  name: row.name,
  parent_trellis_code: folders.find(({ id }) => id === row.parent_id)?.trellis_code ?? null,
  order: row.position,
})

export function getFolderId(folders: readonly FolderRow[], code: string | null): number | null {
  return code === null ? null : getFolder(folders, code).id
}

function getFolder(folders: readonly FolderRow[], code: string): FolderRow {
  const folder = folders.find(({ trellis_code }) => trellis_code === code)
  if (!folder) throw folderNotFoundError()
  return folder
}

export async function createFolder(
  ctx: WorkspaceCtx,
  body: { name: string; parent_trellis_code?: string | null | undefined },
): Promise<Folder> {
  return await transaction(ctx, async (ctx) => {
    await lockFolders(ctx)
    const folders = await findFolders(ctx)
    if (folders.length >= MAX_FOLDERS) {
      throw new AppError('limit_reached', `A workspace can have ${MAX_FOLDERS} folders. Delete one that is not needed.`)
    }
    const parent_id = getFolderId(folders, body.parent_trellis_code ?? null)
    assertDepth(computeDepth(folders, parent_id) + 1)
    const position = folders.filter((folder) => folder.parent_id === parent_id).length
    const createdFolder = await insertFolder(ctx, {
      trellis_code: generateTrellisCode(),
      name: body.name,
      parent_id,
      position,
    })
    ctx.http.addAuditDetail({ folder: createdFolder.trellis_code, name: createdFolder.name })
    return toFolder(createdFolder, folders)
  })
}

export interface FolderChange {
  readonly name?: string | undefined
  readonly parent_trellis_code?: string | null | undefined
  readonly order?: number | undefined
}

export async function updateFolder(ctx: WorkspaceCtx, code: string, change: FolderChange): Promise<Folder> {
  return await transaction(ctx, async (ctx) => {
    await lockFolders(ctx)
    const folders = await findFolders(ctx)
    const folder = getFolder(folders, code)
    const parent_id =
      change.parent_trellis_code === undefined ? folder.parent_id : getFolderId(folders, change.parent_trellis_code)
    if (parent_id !== folder.parent_id) assertMove(folders, folder, parent_id)
    const changed = await updateFolderRow(ctx, folder.id, {
      name: change.name ?? folder.name,
      parent_id,
      position: change.order ?? folder.position,
    })
    ctx.http.addAuditDetail({ folder: changed.trellis_code, name: changed.name })
    return toFolder(changed, folders)
  })
}

export async function deleteFolder(ctx: WorkspaceCtx, code: string): Promise<{ done: true }> {
  return await transaction(ctx, async (ctx) => {
    await lockFolders(ctx)
    const folder = getFolder(await findFolders(ctx), code)
    await deleteFolderRow(ctx, folder)
    ctx.http.addAuditDetail({ folder: folder.trellis_code, name: folder.name })
    return { done: true }
  })
}

function assertMove(folders: readonly FolderRow[], folder: FolderRow, parentId: number | null): void {
  if (listAncestors(folders, parentId).some(({ id }) => id === folder.id)) {
    throw new AppError('conflict', `"${folder.name}" can not be moved into itself or a folder inside it.`)
  }
  assertDepth(computeDepth(folders, parentId) + computeHeight(folders, folder.id))
}

function assertDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw new AppError('conflict', `Folders can be nested ${MAX_DEPTH} deep. Put it further up.`)
}

function listAncestors(folders: readonly FolderRow[], id: number | null): FolderRow[] {
  const byId = new Map(folders.map((folder) => [folder.id, folder]))
  const ancestors: FolderRow[] = []
  for (let current = id === null ? undefined : byId.get(id); current; current = byId.get(current.parent_id ?? 0)) {
    if (ancestors.includes(current)) break
    ancestors.push(current)
  }
  return ancestors
}

const computeDepth = (folders: readonly FolderRow[], id: number | null): number => listAncestors(folders, id).length

function computeHeight(folders: readonly FolderRow[], id: number): number {
  const maxDepth = Math.max(
    ...folders
      .filter((folder) => listAncestors(folders, folder.id).some((ancestor) => ancestor.id === id))
      .map((folder) => computeDepth(folders, folder.id)),
  )
  return maxDepth - computeDepth(folders, id) + 1
}
