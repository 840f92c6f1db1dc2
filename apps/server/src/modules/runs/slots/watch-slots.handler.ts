import type { SystemCtx } from '../../../platform/ctx.ts'
import { watchReplicationSlots } from './watch-slots.ts'

export const handleWatchSlots = async (ctx: SystemCtx): Promise<void> => await watchReplicationSlots(ctx)
