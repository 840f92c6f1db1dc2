import type { PublishPlan } from '@trellis/contract/runs/versions.schemas'
import type * as z from 'zod/mini'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { findBlocks } from '../blocks.repository.ts'
import { getBlockRow } from '../blocks.service.ts'
import { readFacts } from '../canvas-facts.ts'
import { findVersion } from '../versions.repository.ts'
import { settingChanges } from '../words/setting-lines.ts'

type Plan = z.infer<typeof PublishPlan>

export async function planPublish(ctx: WorkspaceCtx, code: string): Promise<Plan> {
  const block = await getBlockRow(ctx, code)
  const blocks = await findBlocks(ctx, block.dataflow_id)
  const facts = await readFacts(ctx, blocks)
  const live = block.live_version === null ? undefined : await findVersion(ctx, block.id, block.live_version)
  return {
    version: block.version,
    changes: settingChanges(live?.settings ?? null, block.settings, facts),
    statements: [],
    misfits: [],
    readers: [],
  }
}
