import type { TaskRunDetails } from '@trellis/contract/runs/runs.schemas'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { type RunReceipt, listRunReceipts as listInSession } from '@trellis/loads/run/run-receipts'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { managedCode, openDatabase } from '../../../platform/workspace-database/open-database.ts'
import { withRunSession } from '../work/loads/load-session.ts'

type Receipt = TaskRunDetails['receipts'][number]

export async function listRunReceipts(ctx: WorkspaceCtx, rootCode: string): Promise<Receipt[]> {
  try {
    const database = await openDatabase(ctx, managedCode(ctx.workspace.code))
    const runReceipts = await withRunSession(database, ctx.http.signal, (session) => listInSession(session, rootCode))
    return runReceipts.map(toReceipt)
  } catch (error) {
    const isUnreachable =
      error instanceof WorkspaceDbError || (error instanceof AppError && error.code === 'unavailable')
    if (!isUnreachable) throw error
    ctx.log.warn({ err: error }, 'Receipts of a run could not be read.')
    return []
  }
}

/** Read rows are written, rejected, or merged as duplicates of a key. */
function toReceipt(receipt: RunReceipt): Receipt {
  const { rowsRead, rows, rejected, merged, sourceHash, targetHash } = receipt
  return {
    subtask: receipt.subtask,
    schema_name: receipt.schema,
    table_name: receipt.table,
    load_id: receipt.loadId,
    window: receipt.window,
    rows_at_source: rowsRead,
    rows_at_destination: rows,
    rows_rejected: rejected,
    rows_merged: merged,
    key_hash_at_source: sourceHash,
    key_hash_at_destination: targetHash,
    is_whole: receipt.isDone && rowsRead === rows + rejected + merged && sourceHash === targetHash,
    can_undo: receipt.canUndo,
    undone_at: receipt.undoneAt,
  }
}
