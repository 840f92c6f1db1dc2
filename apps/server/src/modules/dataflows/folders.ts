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
const DEEPEST = 8

const folderNotFoundError = () => new AppError('not_found', 'There is no such folder.')

export const toFolder = (row: FolderRow, all: readonly FolderRow[]): Folder => ({
  trellis_code: row.trellis_code,
  name: row.name,
  parent_trellis_code: all.find(({ id }) => id === row.parent_id)?.trellis_code ?? null,
  order: row.position,
})

export function getFolderId(all: readonly FolderRow[], code: string | null): number | null {
  return code === null ? null : getFolder(all, code).id
}

function getFolder(all: readonly FolderRow[], code: string): FolderRow {
  const folder = all.find(({ trellis_code }) => trellis_code === code)
  if (!folder) throw folderNotFoundError()
  return folder
}

export async function createFolder(
  ctx: WorkspaceCtx,
  body: { name: string; parent_trellis_code?: string | null | undefined },
): Promise<Folder> {
  return await transaction(ctx, async (ctx) => {
    await lockFolders(ctx)
    const all = await findFolders(ctx)
    if (all.length >= MAX_FOLDERS) {
      throw new AppError('limit_reached', `A workspace can have ${MAX_FOLDERS} folders. Delete one that is not needed.`)
    }
    const parent_id = getFolderId(all, body.parent_trellis_code ?? null)
    assertDepth(computeDepth(all, parent_id) + 1)
    const position = all.filter((folder) => folder.parent_id === parent_id).length
    const made = await insertFolder(ctx, { trellis_code: generateTrellisCode(), name: body.name, parent_id, position })
    ctx.http.addAuditDetail({ folder: made.trellis_code, name: made.name })
    return toFolder(made, all)
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
    const all = await findFolders(ctx)
    const folder = getFolder(all, code)
    const parent_id =
      change.parent_trellis_code === undefined ? folder.parent_id : getFolderId(all, change.parent_trellis_code)
    if (parent_id !== folder.parent_id) assertMove(all, folder, parent_id)
    const changed = await updateFolderRow(ctx, folder.id, {
      name: change.name ?? folder.name,
      parent_id,
      position: change.order ?? folder.position,
    })
    ctx.http.addAuditDetail({ folder: changed.trellis_code, name: changed.name })
    return toFolder(changed, all)
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

function assertMove(all: readonly FolderRow[], folder: FolderRow, parentId: number | null): void {
  if (listAncestors(all, parentId).some(({ id }) => id === folder.id)) {
    throw new AppError('conflict', `"${folder.name}" can not be moved into itself or a folder inside it.`)
  }
  assertDepth(computeDepth(all, parentId) + computeHeight(all, folder.id))
}

function assertDepth(depth: number): void {
  if (depth > DEEPEST) throw new AppError('conflict', `Folders can be nested ${DEEPEST} deep. Put it further up.`)
}

function listAncestors(all: readonly FolderRow[], id: number | null): FolderRow[] {
  const byId = new Map(all.map((folder) => [folder.id, folder]))
  const way: FolderRow[] = []
  for (let at = id === null ? undefined : byId.get(id); at; at = byId.get(at.parent_id ?? 0)) {
    if (way.includes(at)) break
    way.push(at)
  }
  return way
}

const computeDepth = (all: readonly FolderRow[], id: number | null): number => listAncestors(all, id).length

function computeHeight(all: readonly FolderRow[], id: number): number {
  const deepest = Math.max(
    ...all
      .filter((folder) => listAncestors(all, folder.id).some((up) => up.id === id))
      .map((folder) => computeDepth(all, folder.id)),
  )
  return deepest - computeDepth(all, id) + 1
}
