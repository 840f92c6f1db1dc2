import type { TaskRunDetails } from '@trellis/contract/runs/runs.schemas'
import { transaction } from '@trellis/control-db/database'
import { isTerminal } from '@trellis/dataflow-engine/runs/run-states'
import { enqueue } from '@trellis/jobs/enqueue'
import { type RunReceipt, listRunReceipts } from '@trellis/loads/run/run-receipts'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { lockClaims } from '../runner/claim.repository.ts'
import type { WorkspaceScope } from '../runs.repository.ts'
import { takeRunBack } from '../runs.jobs.ts'
import { getRootCode, getRun, readRunDetails } from '../runs.service.ts'
import { withRunDatabase } from './quarantine.ts'
import { hasOpenRun, insertUndo } from './undo.repository.ts'

/** Validates now and leaves the work to a worker; the block does not start until it is done. */
export async function undoRun(ctx: WorkspaceCtx, code: string): Promise<TaskRunDetails> {
  const run = await getRun(ctx, code)
  if (!isTerminal(run.status)) throw new AppError('conflict', 'This run has not ended. Cancel it first.')
  if (run.is_shadow) throw new AppError('conflict', 'This was a dry run: it changed nothing that could be rolled back.')
  if (run.undo_status === 'in_progress') throw new AppError('conflict', UNDO_IN_PROGRESS)
  await assertNotRunning(ctx, run.block_id)
  const rootCode = await getRootCode(ctx, code)
  const receipts = await withRunDatabase(ctx, (session) => listRunReceipts(session, rootCode))
  const loadIds = listLoadsToUndo(receipts)
  await transaction(ctx, async (tx) => {
    // Prevents a claim between the check and the row that holds the block.
    await lockClaims(tx)
    await assertNotRunning(tx, run.block_id)
    const undoId = await insertUndo(tx, run, { rootCode, loadIds, profileId: ctx.actor.profileId })
    if (undoId === undefined) throw new AppError('conflict', UNDO_IN_PROGRESS)
    await enqueue(tx, takeRunBack, { undo_id: undoId }, { singletonKey: undoId, group: String(ctx.account.id) })
  })
  ctx.http.addAuditDetail({ what: `took back a run of “${run.block_name}”` })
  return await readRunDetails(ctx, code)
}

const UNDO_IN_PROGRESS = 'A run of this block is being rolled back already. Wait until it is done.'

async function assertNotRunning(scope: WorkspaceScope, blockId: number): Promise<void> {
  if (!(await hasOpenRun(scope, blockId))) return
  throw new AppError('conflict', 'The block is running. Wait until it is done, or cancel it.')
}

/** All loads must be reversible: a partial rollback would be worse than none. */
function listLoadsToUndo(receipts: readonly RunReceipt[]): string[] {
  const writtenReceipts = receipts.filter((receipt) => receipt.rows > 0 || receipt.isDone)
  if (writtenReceipts.length === 0) throw new AppError('conflict', 'This run wrote nothing that could be rolled back.')
  const standingReceipts = writtenReceipts.filter(({ undoneAt }) => undoneAt === null)
  if (standingReceipts.length === 0) throw new AppError('conflict', 'This run was rolled back already.')
  const irreversible = standingReceipts.find(({ canUndo }) => !canUndo)
  if (irreversible) {
    const tableName = formatTableName(irreversible)
    throw new AppError(
      'conflict',
      `${tableName} can not be rolled back. ${irreversible.note ?? 'Another load came after it.'}`,
    )
  }
  // Fixed lock order avoids a deadlock.
  return standingReceipts
    .toSorted((a, b) => formatTableName(a).localeCompare(formatTableName(b)))
    .map(({ loadId }) => loadId)
}

const formatTableName = ({ schema, table }: RunReceipt): string => `${schema}.${table}`
