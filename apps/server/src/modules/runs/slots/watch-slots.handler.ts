import type { SystemCtx } from '../../../platform/ctx.ts'
import { watchSlots } from './slots.service.ts'

export const handleWatchSlots = async (ctx: SystemCtx): Promise<void> => await watchSlots(ctx)
