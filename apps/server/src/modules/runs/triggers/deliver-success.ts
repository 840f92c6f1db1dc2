import { usedActivities, listActions } from '@trellis/contract/dataflows/triggers'
import type { Db } from '@trellis/control-db/database'
import type { RunEffects, SucceededRun } from '../runner/run-effects.ts'
import { deliverEvents } from './trigger-batch.ts'
import { type LiveBlock, findWaitingBlockIds, lockBlocks, readLiveBlocks } from './trigger-batch.repository.ts'

type WithDb = { readonly db: Db }

/** In the transaction that ends the run, so that neither exists without the other. */
export const deliverSuccess: RunEffects['succeed'] = async (ctx, run) => {
  const blocks = await lockWaitingBlocks(ctx, run.block_id)
  const endedAt = await run.end()
  return { at: endedAt, queued: endedAt ? await deliverSuccessTo(ctx, blocks, { ...run, at: endedAt }) : 0 }
}

async function lockWaitingBlocks(ctx: WithDb, blockId: number): Promise<LiveBlock[]> {
  const waitingIds = await findWaitingBlockIds(ctx, blockId)
  if (waitingIds.length === 0) return []
  const ids = await lockBlocks(ctx, waitingIds, { canSkip: false })
  return await readLiveBlocks(ctx, ids)
}

async function deliverSuccessTo(
  ctx: WithDb,
  blocks: readonly LiveBlock[],
  run: Pick<SucceededRun, 'id' | 'block_code'> & { readonly at: Date },
): Promise<number> {
  const waitingBlocks = blocks.filter(({ form }) => usedActivities(form).includes(run.block_code))
  if (waitingBlocks.length === 0) return 0
  const events = waitingBlocks.map((block) => ({
    block_id: block.id,
    account_id: block.account_id,
    action_id: getActivityCard(block, run.block_code),
    tick_id: null,
    source_run_id: run.id,
    happened_at: run.at,
  }))
  return await deliverEvents(ctx, waitingBlocks, events)
}

const getActivityCard = ({ form }: LiveBlock, code: string): string =>
  listActions(form).find(
    ([, card]) => card.action === 'Activity' && card.actionValue.taskBlockTrellisCode === code,
  )?.[0] ?? ''
