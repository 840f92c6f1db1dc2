import { findReceipt } from '@trellis/loads/receipts'
import { undoLoad } from '@trellis/loads/undo'
import { type JobWork, openJobDatabase, toFence, withLoadSession } from './job-work.ts'
import { toLoad } from './load-summary.ts'
import { readProfileNames } from '../profile/names.service.ts'

export async function undoUpload(work: JobWork): Promise<object> {
  const { ctx, job, progress, signal } = work
  progress.step = 'Taking the load back'
  const { load_id: loadId } = job.request as { load_id: string }
  const names = await readProfileNames(ctx, [job.profile_id])
  const receipt = await withLoadSession(await openJobDatabase(work), signal, (session) =>
    undoLoad(session, loadId, {
      loadId: job.id,
      schema: job.schema_name,
      table: job.table_name ?? '',
      mode: 'undo',
      source: 'Undo',
      by: names.get(job.profile_id ?? -1) ?? null,
      fence: toFence(work),
    }),
  )
  progress.rows = receipt.rows
  return toLoad(receipt, receipt.undo !== null)
}

export async function findUndoReceipt(work: JobWork): Promise<object | undefined> {
  if (work.job.kind !== 'undo') return undefined
  const undoReceipt = await withLoadSession(await openJobDatabase(work), undefined, (session) =>
    findReceipt(session, work.job.id),
  )
  return undoReceipt && toLoad(undoReceipt, undoReceipt.undo !== null)
}
