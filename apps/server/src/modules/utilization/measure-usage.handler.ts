import type { SystemCtx } from '../../platform/ctx.ts'
import { findUnmeasured, writeUsageDay } from './utilization.repository.ts'
import { notifyStorage } from './notify-storage.ts'
import { measureStorage } from './utilization.service.ts'
import { measureWorkspaces } from './workspace/measure-workspaces.ts'

const AT_ONCE = 200

export async function handleMeasureUsage(ctx: SystemCtx): Promise<void> {
  const workspaces = await findUnmeasured(ctx, ctx.clock.now())
  for (let at = 0; at < workspaces.length; at += AT_ONCE) await measureStorage(ctx, workspaces.slice(at, at + AT_ONCE))
  await writeUsageDay(ctx, ctx.clock.now())
  await measureWorkspaces(ctx, workspaces)
  await notifyStorage(ctx)
}
