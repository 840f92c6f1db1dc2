import { usedActivities, listActions } from '@trellis/contract/dataflows/triggers'
import type { Db } from '@trellis/control-db/database'
import type { RunEffects, SucceededRun } from '../runner/run-effects.ts'
import { deliverEvents } from './trigger-batch.ts'
import { type LiveBlock, findWaitingBlockIds, lockBlocks, readLiveBlocks } from './trigger-batch.repository.ts'

type WithDb = { readonly db: Db }

/** In the transaction that ends the run, so that neither exists without the other. */
export const deliverSuccess: RunEffects['succeed'] = async (ctx, run) => {
  const blocks = await lockWaiting(ctx, run.block_id)
  const at = await run.end()
  return { at, queued: at ? await deliverTo(ctx, blocks, { ...run, at }) : 0 }
}

async function lockWaiting(ctx: WithDb, blockId: number): Promise<LiveBlock[]> {
  const waiting = await findWaitingBlockIds(ctx, blockId)
  if (waiting.length === 0) return []
  const ids = await lockBlocks(ctx, waiting, { canSkip: false })
  return await readLiveBlocks(ctx, ids)
}

async function deliverTo(
  ctx: WithDb,
  blocks: readonly LiveBlock[],
  run: Pick<SucceededRun, 'id' | 'block_code'> & { readonly at: Date },
): Promise<number> {
  const waiting = blocks.filter(({ form }) => usedActivities(form).includes(run.block_code))
  if (waiting.length === 0) return 0
  const events = waiting.map((block) => ({
    block_id: block.id,
    account_id: block.account_id,
    action_id: getActivityCard(block, run.block_code),
    tick_id: null,
    source_run_id: run.id,
    happened_at: run.at,
  }))
  return await deliverEvents(ctx, waiting, events)
}

const getActivityCard = ({ form }: LiveBlock, code: string): string =>
  listActions(form).find(
    ([, card]) => card.action === 'Activity' && card.actionValue.taskBlockTrellisCode === code,
  )?.[0] ?? ''
