import { randomUUID } from 'node:crypto'
import type { TaskRunDetails } from '@trellis/contract/runs/runs.schemas'
import { isTerminal } from '@trellis/dataflow-engine/runs/run-states'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { type RunReceipt, listRunReceipts } from '@trellis/workspace-db/loads/run/run-receipts'
import { undoLoad } from '@trellis/workspace-db/loads/undo'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { findRecentRuns } from '../runs.repository.ts'
import { getRootCode, getRun, showRunDetails } from '../runs.service.ts'
import { inRunDatabase } from './quarantine.ts'

/** Takes back what a run and its retries wrote, table by table; the cursor goes back with it. */
export async function undoRun(ctx: WorkspaceCtx, code: string): Promise<TaskRunDetails> {
  const run = await getRun(ctx, code)
  if (!isTerminal(run.status)) throw new AppError('conflict', 'This run has not ended. Cancel it first.')
  const others = await findRecentRuns(ctx, run.dataflow_id)
  if (others.some((other) => other.block_id === run.block_id && !isTerminal(other.status))) {
    throw new AppError('conflict', 'The block is running. Wait until it is done, or cancel it.')
  }
  const rootCode = await getRootCode(ctx, code)
  const by = `${ctx.actor.firstName} ${ctx.actor.surname}`.trim()
  await inRunDatabase(ctx, async (session) => {
    const receipts = (await listRunReceipts(session, rootCode)).filter((one) => one.rows > 0 || one.isDone)
    assertAllUndoable(receipts)
    for (const { loadId, schema, table } of receipts) {
      await undoLoad(session, loadId, { loadId: randomUUID(), schema, table, mode: 'undo', source: 'Undo', by })
    }
  }).catch((error: unknown) => {
    if (error instanceof WorkspaceDbError && error.code === 'refused') throw new AppError('conflict', error.message)
    throw error
  })
  ctx.wire.note({ what: `took back a run of “${run.block_name}”` })
  return await showRunDetails(ctx, code)
}

/** All of it or nothing is begun: half a run that was taken back would be worse than a whole one. */
function assertAllUndoable(receipts: readonly RunReceipt[]): void {
  if (receipts.length === 0) throw new AppError('conflict', 'This run wrote nothing that could be taken back.')
  const stuck = receipts.find(({ canUndo }) => !canUndo)
  if (!stuck) return
  const place = `${stuck.schema}.${stuck.table}`
  if (stuck.undoneAt !== null) throw new AppError('conflict', 'This run was taken back already.')
  throw new AppError('conflict', `${place} can not be taken back. ${stuck.note ?? 'Another load came after it.'}`)
}
