import { findReceipt } from '@trellis/loads/receipts'
import { StageLost, deliver } from '@trellis/loads/publish'
import { countStagedRows } from '@trellis/loads/stage'
import { AppError } from '../../platform/app-error.ts'
import type { OpenDatabase } from '../../platform/workspace-database/open-database.ts'
import { type StagedFrom, planFile, parseStagedFrom } from './plan/file-plan.ts'
import { type FileWork, type JobWork, openJobDatabase, toFence, withLoadSession } from './job-work.ts'
import type { LoadPlan } from './plan/load-plan.ts'
import { toLoad } from './load-summary.ts'
import { readProfileNames } from '../profile/names.service.ts'
import { findFileRow, listRejectedRows, setFile } from './uploads.repository.ts'
import { stageAndSaveValidation } from './validate-file.ts'

/** The load id derives from the job, so that a retry finds its receipt. */
export async function deliverFile(work: FileWork): Promise<object> {
  const database = await openJobDatabase(work)
  const existingReceipt = await withLoadSession(database, work.signal, (session) => findReceipt(session, work.job.id))
  if (existingReceipt) return await markDelivered(work, existingReceipt)
  if (work.file.state === 'delivered') throw new AppError('conflict', 'The file was delivered already.')
  const plan = await withLoadSession(database, work.signal, (session) => planFile(session, work.file))
  const stagedBefore = parseStagedFrom(work.file)
  const isUsable =
    stagedBefore?.fingerprint === plan.fingerprint && (await hasRows(database, stagedBefore, work.signal))
  try {
    return await publishStaged(work, {
      database,
      plan,
      staged: isUsable ? stagedBefore : await stageFile(work, { database, plan }),
    })
  } catch (error) {
    if (!(error instanceof StageLost)) throw error
    return await publishStaged(work, { database, plan, staged: await stageFile(work, { database, plan }) })
  }
}

export async function findDelivered(work: JobWork): Promise<object | undefined> {
  const file =
    work.job.kind !== 'deliver' || work.job.file_id === null ? undefined : await findFileRow(work.ctx, work.job.file_id)
  if (!file) return undefined
  const database = await openJobDatabase(work)
  const existingReceipt = await withLoadSession(database, undefined, (session) => findReceipt(session, work.job.id))
  return existingReceipt && (await markDelivered({ ...work, file }, existingReceipt))
}

async function hasRows(database: OpenDatabase, stagedFrom: StagedFrom, signal: AbortSignal): Promise<boolean> {
  return (
    (await withLoadSession(database, signal, (session) => countStagedRows(session, stagedFrom.stage))) ===
    stagedFrom.goodRows
  )
}

async function stageFile(work: FileWork, input: { database: OpenDatabase; plan: LoadPlan }): Promise<StagedFrom> {
  await stageAndSaveValidation(work, input)
  const file = await findFileRow(work.ctx, work.file.id)
  const stagedFrom = file && parseStagedFrom(file)
  if (!stagedFrom)
    throw new AppError('conflict', 'Too many rows do not fit their columns. Look at the data model and validate again.')
  return stagedFrom
}

interface PublishInput {
  readonly database: OpenDatabase
  readonly plan: LoadPlan
  readonly staged: StagedFrom
}

async function publishStaged(work: FileWork, { database, plan, staged: stagedFrom }: PublishInput): Promise<object> {
  const { ctx, file, job, progress, signal } = work
  const badRejectedRows = await listRejectedRows(ctx, file.id)
  if (badRejectedRows.length > 0 && file.on_bad_rows === 'stop') {
    const count =
      badRejectedRows.length === 1
        ? 'One row does not fit'
        : `${badRejectedRows.length.toLocaleString('en')} rows do not fit`
    throw new AppError(
      'conflict',
      `${count}. Nothing was delivered. Choose what becomes of such rows, or correct the file.`,
    )
  }
  progress.step = 'Delivering'
  progress.done_bytes = progress.total_bytes
  const names = await readProfileNames(ctx, [job.profile_id])
  const receipt = await withLoadSession(database, signal, (session) =>
    deliver(session, {
      receipt: {
        loadId: job.id,
        schema: file.schema_name,
        table: file.table_name ?? '',
        mode: file.mode,
        source: `Upload of ${file.original_filename}`,
        by: names.get(job.profile_id ?? -1) ?? null,
        fence: toFence(work),
      },
      stage: stagedFrom.stage,
      isNumbered: stagedFrom.isNumbered,
      columns: plan.columns.map(({ name }) => name),
      rows: stagedFrom.goodRows,
      rejected: badRejectedRows,
      comments: plan.columns
        .filter(({ header, name }) => header !== '' && header !== name)
        .map(({ name, header }) => ({ column: name, text: header })),
    }),
  )
  return await markDelivered(work, receipt)
}

async function markDelivered(
  { ctx, file, progress }: FileWork,
  receipt: Parameters<typeof toLoad>[0],
): Promise<object> {
  progress.rows = receipt.rows
  progress.done_bytes = progress.total_bytes
  await setFile(ctx, file.id, {
    state: 'delivered',
    load_id: receipt.loadId,
    staged_from: null,
    delivered_at: new Date(receipt.finishedAt),
  })
  return toLoad(receipt, receipt.undo !== null)
}
