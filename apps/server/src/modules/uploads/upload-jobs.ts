import type { PreProcess, UploadJob } from '@trellis/contract/uploads/uploads.schemas'
import type * as z from 'zod/mini'
import { transaction } from '@trellis/control-db/database'
import { enqueue } from '@trellis/jobs/enqueue'
import { findReceipt } from '@trellis/loads/receipts'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { openDatabase } from '../../platform/workspace-database/open-database.ts'
import { planFile, getProfile } from './plan/file-plan.ts'
import { withReadSession } from './with-read-session.ts'
import { toJob } from './show-file.ts'
import { runUploadJob } from './uploads.jobs.ts'
import {
  type FileRowData,
  type JobRowData,
  findJob,
  findJobs,
  insertJob,
  requestJobCancel,
} from './uploads.repository.ts'
import { assertComplete, assertStorageRoom, getFile } from './uploads.service.ts'

const FILE_BUSY = 'A job works on this file already. Wait until it ends, or cancel it.'

interface NewJob {
  readonly kind: JobRowData['kind']
  readonly file_id: string | null
  readonly integration_code: string
  readonly schema_name: string
  readonly table_name: string | null
  readonly request: object
}

async function insertAndEnqueueJob(ctx: WorkspaceCtx, job: NewJob): Promise<UploadJob> {
  return await transaction(ctx, async (ctx) => {
    const row = await insertJob(ctx, {
      ...job,
      request: JSON.stringify(job.request),
      workspace_id: ctx.workspace.id,
      profile_id: ctx.actor.profileId,
    })
    if (!row) throw new AppError('conflict', FILE_BUSY)
    await enqueue(ctx, runUploadJob, { job_id: row.id }, { group: String(ctx.account.id) })
    return toJob(row)
  })
}

const toFileKey = (file: FileRowData) => ({
  file_id: file.id,
  integration_code: file.integration_code,
  schema_name: file.schema_name,
  table_name: file.table_name,
})

export async function startPreProcess(ctx: WorkspaceCtx, body: z.infer<typeof PreProcess>): Promise<UploadJob> {
  const file = await getFile(ctx, body.file_id)
  assertComplete(file)
  return await insertAndEnqueueJob(ctx, {
    ...toFileKey(file),
    kind: 'pre_process',
    request: { dialect: body.dialect ?? {} },
  })
}

async function startLoadJob(ctx: WorkspaceCtx, fileId: string, kind: 'validate' | 'deliver'): Promise<UploadJob> {
  const file = await getFile(ctx, fileId)
  assertComplete(file)
  getProfile(file)
  if (file.state === 'delivered')
    throw new AppError('conflict', 'The file is loaded already. Upload it again to load it a second time.')
  const database = await openDatabase(ctx, file.integration_code)
  await withReadSession(ctx, database, (session) => planFile(session, file))
  await assertStorageRoom(ctx, file.size_bytes, file.id)
  return await insertAndEnqueueJob(ctx, { ...toFileKey(file), kind, request: {} })
}

export const startValidation = (ctx: WorkspaceCtx, fileId: string) => startLoadJob(ctx, fileId, 'validate')
export const startDelivery = (ctx: WorkspaceCtx, fileId: string) => startLoadJob(ctx, fileId, 'deliver')

export async function startUndo(
  ctx: WorkspaceCtx,
  body: { integration_trellis_code: string; schema_name: string; table_name: string; load_id: string },
): Promise<UploadJob> {
  const database = await openDatabase(ctx, body.integration_trellis_code)
  const receipt = await withReadSession(ctx, database, (session) => findReceipt(session, body.load_id))
  if (!receipt || receipt.schema !== body.schema_name || receipt.table !== body.table_name) {
    throw new AppError('not_found', 'This load is not known.')
  }
  return await insertAndEnqueueJob(ctx, {
    kind: 'undo',
    file_id: null,
    integration_code: database.integrationCode,
    schema_name: receipt.schema,
    table_name: receipt.table,
    request: { load_id: receipt.loadId },
  })
}

async function getJobRow(ctx: WorkspaceCtx, jobId: string): Promise<JobRowData> {
  const job = await findJob(ctx, { workspaceId: ctx.workspace.id, jobId })
  if (!job) throw new AppError('not_found', 'There is no such job.')
  return job
}

export async function getJob(ctx: WorkspaceCtx, jobId: string): Promise<UploadJob> {
  return toJob(await getJobRow(ctx, jobId))
}

export async function listJobs(
  ctx: WorkspaceCtx,
  query: { status?: JobRowData['status'] | undefined; limit?: number | undefined },
): Promise<UploadJob[]> {
  const rows = await findJobs(ctx, { workspaceId: ctx.workspace.id, status: query.status, limit: query.limit ?? 50 })
  return rows.map((row) => toJob(row))
}

export async function cancelJob(ctx: WorkspaceCtx, jobId: string): Promise<UploadJob> {
  const job = await getJobRow(ctx, jobId)
  if (!(await requestJobCancel(ctx, job.id))) throw new AppError('conflict', 'The job has ended already.')
  return toJob(await getJobRow(ctx, jobId))
}
