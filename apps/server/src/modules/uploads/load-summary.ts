import type { LoadSummary } from '@trellis/contract/explorer/explorer.schemas'
import type { Receipt } from '@trellis/loads/receipts'
import type * as z from 'zod/mini'

export function toLoad(receipt: Receipt, isUndoable: boolean): z.infer<typeof LoadSummary> {
  return {
    load_id: receipt.loadId,
    mode: receipt.mode,
    source: receipt.source,
    rows: receipt.rows,
    finished_at: receipt.finishedAt,
    by: receipt.by,
    can_undo: isUndoable,
  }
}
