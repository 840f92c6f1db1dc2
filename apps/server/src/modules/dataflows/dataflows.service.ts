import type { Alerts, Dataflow, FolderStructure } from '@trellis/contract/dataflows/dataflows.schemas'
import type { MisfirePolicy, OverlapPolicy } from '@trellis/contract/dataflows/dataflow-words'
import { transaction } from '@trellis/control-db/database'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { generateTrellisCode } from '../../platform/trellis-code.ts'
import { findBusyBlockNames } from './blocks.repository.ts'
import {
  type DataflowRow,
  countDataflows,
  findDataflow,
  findDataflows,
  insertDataflow,
  lockDataflow,
  lockDeletedDataflow,
  updateDataflowRow,
} from './dataflows.repository.ts'
import { findFolders, lockFolders } from './folders.repository.ts'
import { getFolderId, toFolder } from './folders.ts'
import { buildDataflow, buildSummaries } from './show-dataflow.ts'
import { deleteUnclaimedTicks, planTicksFrom } from './ticks.repository.ts'

export const MAX_DATAFLOWS = 500

const dataflowNotFoundError = () => new AppError('not_found', 'There is no such dataflow.')

export async function getDataflowRow(ctx: WorkspaceCtx, code: string): Promise<DataflowRow> {
  const row = await findDataflow(ctx, code)
  if (!row) throw dataflowNotFoundError()
  return row
}

export async function getLockedDataflow(ctx: WorkspaceCtx, code: string): Promise<DataflowRow> {
  const row = await lockDataflow(ctx, code)
  if (!row) throw dataflowNotFoundError()
  return row
}

export async function getFolderStructure(ctx: WorkspaceCtx): Promise<FolderStructure> {
  const folders = await findFolders(ctx)
  return {
    folders: folders.map((folder) => toFolder(folder, folders)),
    dataflows: await buildSummaries(ctx, await findDataflows(ctx), folders),
  }
}

export const getDataflow = async (ctx: WorkspaceCtx, code: string): Promise<Dataflow> =>
  await buildDataflow(ctx, await getDataflowRow(ctx, code), await findFolders(ctx))

export async function createDataflow(
  ctx: WorkspaceCtx,
  body: { name: string; folder_trellis_code?: string | null | undefined; description?: string | undefined },
): Promise<Dataflow> {
  return await transaction(ctx, async (ctx) => {
    await assertDataflowRoom(ctx)
    const folders = await findFolders(ctx)
    const row = await insertDataflow(ctx, {
      trellis_code: generateTrellisCode(),
      name: body.name,
      description: body.description ?? '',
      folder_id: getFolderId(folders, body.folder_trellis_code ?? null),
      position: await countDataflows(ctx),
    })
    setAuditSubject(ctx, row)
    return await buildDataflow(ctx, row, folders)
  })
}

async function assertDataflowRoom(ctx: WorkspaceCtx): Promise<void> {
  await lockFolders(ctx)
  if ((await countDataflows(ctx)) < MAX_DATAFLOWS) return
  throw new AppError('limit_reached', `A workspace can have ${MAX_DATAFLOWS} dataflows. Delete one that is not needed.`)
}

export interface DataflowChange {
  readonly name?: string | undefined
  readonly folder_trellis_code?: string | null | undefined
  readonly order?: number | undefined
  readonly description?: string | undefined
  readonly alerts?: Alerts | undefined
  readonly misfire?: MisfirePolicy | undefined
  readonly overlap?: OverlapPolicy | undefined
  readonly is_paused?: boolean | undefined
}

export async function updateDataflow(ctx: WorkspaceCtx, code: string, change: DataflowChange): Promise<Dataflow> {
  return await transaction(ctx, async (ctx) => {
    const row = await getLockedDataflow(ctx, code)
    const folders = await findFolders(ctx)
    const { folder_trellis_code: folder, order, alerts, name, description, misfire, overlap } = change
    const isPaused = change.is_paused ?? row.is_paused
    const changedRow = await updateDataflowRow(ctx, row.id, {
      name: name ?? row.name,
      description: description ?? row.description,
      misfire: misfire ?? row.misfire,
      overlap: overlap ?? row.overlap,
      is_paused: isPaused,
      ...(alerts && { alerts: JSON.stringify(alerts) }),
      ...(folder !== undefined && { folder_id: getFolderId(folders, folder) }),
      ...(order !== undefined && { position: order }),
      updated_by: ctx.actor.profileId,
      updated_at: new Date(),
    })
    if (isPaused !== row.is_paused) await (isPaused ? stopPlanning(ctx, row) : resumeSchedules(ctx, row))
    setAuditSubject(ctx, changedRow)
    return await buildDataflow(ctx, changedRow, folders)
  })
}

const stopPlanning = async (ctx: WorkspaceCtx, { id }: DataflowRow) => await deleteUnclaimedTicks(ctx, id)
/** Due times missed while paused are skipped. */
const resumeSchedules = async (ctx: WorkspaceCtx, { id }: DataflowRow) => await planTicksFrom(ctx, id, ctx.clock.now())

export async function deleteDataflow(ctx: WorkspaceCtx, code: string): Promise<{ done: true }> {
  return await transaction(ctx, async (ctx) => {
    const row = await getLockedDataflow(ctx, code)
    const busyNames = await findBusyBlockNames(ctx, { dataflowId: row.id })
    if (busyNames.length > 0) {
      const names = busyNames.map((name) => `"${name}"`).join(', ')
      throw new AppError('conflict', `A run of ${names} is not over. Cancel it or wait, then delete the dataflow.`)
    }
    await updateDataflowRow(ctx, row.id, {
      deleted_at: ctx.clock.now(),
      updated_by: ctx.actor.profileId,
      updated_at: new Date(),
    })
    await stopPlanning(ctx, row)
    setAuditSubject(ctx, row)
    return { done: true }
  })
}

export async function restoreDataflow(ctx: WorkspaceCtx, code: string): Promise<Dataflow> {
  return await transaction(ctx, async (ctx) => {
    await assertDataflowRoom(ctx)
    const row = await lockDeletedDataflow(ctx, code)
    if (!row) throw dataflowNotFoundError()
    const restoredRow = await updateDataflowRow(ctx, row.id, {
      deleted_at: null,
      updated_by: ctx.actor.profileId,
      updated_at: new Date(),
    })
    await resumeSchedules(ctx, row)
    setAuditSubject(ctx, row)
    return await buildDataflow(ctx, restoredRow, await findFolders(ctx))
  })
}

const setAuditSubject = (ctx: WorkspaceCtx, { trellis_code, name }: Pick<DataflowRow, 'trellis_code' | 'name'>): void =>
  ctx.http.addAuditDetail({ dataflow: trellis_code, name })
