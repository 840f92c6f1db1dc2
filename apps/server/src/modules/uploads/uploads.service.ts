import { getPlanLimits } from '@trellis/contract/billing/plans'
import type { DataModel, UploadFile } from '@trellis/contract/uploads/uploads.schemas'
import { transaction } from '@trellis/control-db/database'
import { hasSchema, isNameTaken } from '@trellis/loads/target'
import { AppError } from '../../platform/app-error.ts'
import type { SystemCtx, WorkspaceCtx } from '../../platform/ctx.ts'
import { openDatabase } from '../../platform/workspace-database/open-database.ts'
import { readPlanUsage } from '../utilization/utilization.service.ts'
import { assertModel } from './plan/data-model.ts'
import { deleteAllParts, deleteParts } from './file-parts.ts'
import { findFileTarget, getProfile } from './plan/file-plan.ts'
import { withReadSession } from './with-read-session.ts'
import { toUploadFile, toUploadFiles } from './show-file.ts'
import {
  type FileRowData,
  deleteFileRow,
  findFile,
  findFilesOfSchema,
  findLatestJobs,
  insertFile,
  sumPendingBytes,
  updateFileRow,
} from './uploads.repository.ts'

const NOT_FOUND_MESSAGE = 'There is nothing at this address, or you have no access to it.'

export async function getFile(ctx: WorkspaceCtx, fileId: string, integrationCode?: string): Promise<FileRowData> {
  const file = await findFile(ctx, { workspaceId: ctx.workspace.id, fileId })
  if (!file || (integrationCode !== undefined && file.integration_code !== integrationCode)) {
    throw new AppError('not_found', NOT_FOUND_MESSAGE)
  }
  return file
}

export function assertComplete(file: FileRowData): void {
  if (file.state === 'uploading')
    throw new AppError('conflict', 'The file is not complete yet. Send all parts, then finish.')
}

/** Storage left without other pending files; null if unlimited. */
export async function findRemainingStorage(ctx: WorkspaceCtx, exceptFileId?: string): Promise<number | null> {
  const limit = getPlanLimits(ctx.account.type).storage
  if (limit === null) return null
  const { storage } = await readPlanUsage(ctx, ctx.account.id)
  return Math.max(0, limit - storage - (await sumPendingBytes(ctx, exceptFileId)))
}

export const storageFullError = () =>
  new AppError(
    'limit_reached',
    'The storage of the plan is not enough for this file. Delete data or files that wait, or upgrade the plan.',
  )

export async function assertStorageRoom(ctx: WorkspaceCtx, bytes: number, exceptFileId?: string): Promise<void> {
  const remainingStorage = await findRemainingStorage(ctx, exceptFileId)
  if (remainingStorage !== null && bytes > remainingStorage) throw storageFullError()
}

export interface StartUploadInput {
  readonly integration_trellis_code: string
  readonly schema_name: string
  readonly original_filename: string
  readonly size_bytes: number
  readonly mode?: UploadFile['mode']
  readonly table_name?: string | undefined
  readonly id?: string
  readonly parts?: Readonly<Record<string, number>>
}

export async function startUpload(ctx: WorkspaceCtx, body: StartUploadInput): Promise<FileRowData> {
  const mode = body.mode ?? 'new'
  if (mode !== 'new' && body.table_name === undefined) {
    throw new AppError('invalid_request', 'Say which table.', { source: { pointer: '/table_name' } })
  }
  if (body.original_filename.includes('\0'))
    throw new AppError('invalid_request', 'The name of the file is not valid.', {
      source: { pointer: '/original_filename' },
    })
  const database = await openDatabase(ctx, body.integration_trellis_code)
  await withReadSession(ctx, database, async (session) => {
    if (!(await hasSchema(session, body.schema_name))) throw new AppError('not_found', NOT_FOUND_MESSAGE)
    if (mode !== 'new') await findFileTarget(session, body, { mode, table: body.table_name ?? '' })
  })
  await ctx.ports.objects.assertSpace()
  await assertStorageRoom(ctx, body.size_bytes)
  return await insertFile(ctx, {
    workspace_id: ctx.workspace.id,
    profile_id: ctx.actor.profileId,
    integration_code: database.integrationCode,
    schema_name: body.schema_name,
    table_name: body.table_name ?? null,
    mode,
    original_filename: body.original_filename,
    size_bytes: body.size_bytes,
    ...(body.id !== undefined && { id: body.id }),
    ...(body.parts && { parts: JSON.stringify(body.parts), state: 'uploaded' as const }),
  })
}

export interface FileChange {
  readonly file_id: string
  readonly mode?: UploadFile['mode'] | undefined
  readonly table_name?: string | undefined
  readonly data_model?: DataModel | undefined
  readonly on_bad_rows?: 'stop' | 'quarantine' | 'set_null' | undefined
}

async function assertNameFree(ctx: WorkspaceCtx, body: FileChange): Promise<void> {
  if (body.mode === undefined && body.table_name === undefined) return
  const file = await getFile(ctx, body.file_id)
  const table = body.table_name ?? file.table_name
  if ((body.mode ?? file.mode) !== 'new' || table === null || file.state === 'delivered') return
  const database = await openDatabase(ctx, file.integration_code)
  const schema = file.schema_name
  if (!(await withReadSession(ctx, database, (session) => isNameTaken(session, { schema, table })))) return
  throw new AppError(
    'conflict',
    `"${table}" already exists in "${schema}". Choose another name, or append or replace.`,
    { source: { pointer: '/table_name' } },
  )
}

export async function changeFile(ctx: WorkspaceCtx, body: FileChange): Promise<UploadFile> {
  await assertNameFree(ctx, body)
  return await transaction(ctx, async (ctx) => {
    const file = await getFile(ctx, body.file_id)
    await assertIdle(ctx, file)
    if (body.data_model) assertModel(body.data_model, getProfile(file))
    const mode = body.mode ?? file.mode
    const table = body.table_name ?? file.table_name
    const hasNewTarget = mode !== file.mode || table !== file.table_name
    await updateFileRow(ctx, file.id, {
      mode,
      table_name: table,
      ...(body.on_bad_rows && { on_bad_rows: body.on_bad_rows }),
      ...(body.data_model ? { data_model: JSON.stringify(body.data_model) } : hasNewTarget ? { data_model: null } : {}),
      ...((body.data_model || hasNewTarget) && file.profile ? { validation: null, state: 'profiled' as const } : {}),
    })
    return await toUploadFile(ctx, await getFile(ctx, file.id))
  })
}

/** An active job works on the file's state at its start. */
async function assertIdle(ctx: WorkspaceCtx, file: FileRowData): Promise<void> {
  const job = (await findLatestJobs(ctx, [file.id])).get(file.id)
  if (job?.status === 'in_progress')
    throw new AppError('conflict', 'A job works on this file. Wait until it ends, or cancel it.')
}

export async function deleteFile(
  ctx: WorkspaceCtx,
  { file_id, integration_trellis_code }: { file_id: string; integration_trellis_code: string },
): Promise<{ done: true }> {
  const file = await getFile(ctx, file_id, integration_trellis_code)
  await assertIdle(ctx, file)
  await deleteFileRow(ctx, file.id)
  await deleteParts(ctx.ports.objects, file)
  return { done: true }
}

export async function listSchemaFiles(
  ctx: WorkspaceCtx,
  params: { integration_trellis_code: string; schema_name: string },
): Promise<UploadFile[]> {
  const database = await openDatabase(ctx, params.integration_trellis_code)
  await withReadSession(ctx, database, async (session) => {
    if (!(await hasSchema(session, params.schema_name))) throw new AppError('not_found', NOT_FOUND_MESSAGE)
  })
  const rows = await findFilesOfSchema(ctx, {
    workspaceId: ctx.workspace.id,
    integrationCode: database.integrationCode,
    schema: params.schema_name,
  })
  return await toUploadFiles(ctx, rows)
}

/** Idempotent. */
export async function deleteWorkspaceUploads(ctx: SystemCtx, workspaceId: number): Promise<void> {
  await deleteAllParts(ctx.ports.objects, workspaceId)
}
