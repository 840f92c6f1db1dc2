import { usedActivities, actionsOf } from '@trellis/contract/dataflows/triggers'
import type { Db } from '@trellis/control-db/database'
import { sql } from 'kysely'
import { deliverEvents } from './trigger-batch.ts'
import { type LiveBlock, lockBlocks, readLiveBlocks } from './trigger-batch.repository.ts'

type WithDb = { readonly db: Db }

export interface Waiting {
  readonly blocks: readonly LiveBlock[]
}

/** Blocks whose live version waits for this one, locked. Before the run's own row, as everywhere. */
export async function lockWaiting(ctx: WithDb, blockId: number): Promise<Waiting> {
  const { rows } = await sql<{ block_id: number }>`
    select block_id from live_waits where upstream_id = ${blockId}`.execute(ctx.db)
  if (rows.length === 0) return { blocks: [] }
  const ids = await lockBlocks(
    ctx,
    rows.map(({ block_id }) => block_id),
    { canSkip: false },
  )
  return { blocks: await readLiveBlocks(ctx, ids) }
}

/** In the transaction in which the run succeeds: a success that told nobody, or told without being one, can't be. */
export async function tellWaiting(
  ctx: WithDb,
  { blocks }: Waiting,
  run: { id: number; blockCode: string; at: Date },
): Promise<number> {
  const waiting = blocks.filter(({ form }) => usedActivities(form).includes(run.blockCode))
  if (waiting.length === 0) return 0
  const events = waiting.map((block) => ({
    block_id: block.id,
    account_id: block.account_id,
    action_id: cardOf(block, run.blockCode),
    tick_id: null,
    source_run_id: run.id,
    happened_at: run.at,
  }))
  return await deliverEvents(ctx, waiting, events)
}

const cardOf = ({ form }: LiveBlock, code: string): string =>
  actionsOf(form).find(
    ([, card]) => card.action === 'Activity' && card.actionValue.taskBlockTrellisCode === code,
  )?.[0] ?? ''
