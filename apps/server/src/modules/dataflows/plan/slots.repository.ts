import { type AccountScope, scoped } from '@trellis/control-db/scoped'

export interface BlockSlot {
  readonly subtask: string
  readonly kept_bytes: number | null
  readonly dropped_because: string | null
}

export async function findBlockSlots(ctx: AccountScope, blockCode: string): Promise<BlockSlot[]> {
  return await scoped(ctx, 'change_slots')
    .select(['subtask', 'kept_bytes', 'dropped_because'])
    .where('block_code', '=', blockCode)
    .execute()
}
