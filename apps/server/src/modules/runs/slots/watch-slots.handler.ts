import type { SystemCtx } from '../../../platform/ctx.ts'
import { watchSlots } from './watch-slots.ts'

export const handleWatchSlots = async (ctx: SystemCtx): Promise<void> => await watchSlots(ctx)
