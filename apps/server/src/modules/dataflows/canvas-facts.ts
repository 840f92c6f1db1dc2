import { isPlanOver } from '@trellis/contract/billing/plans'
import type { TriggerForm } from '@trellis/contract/dataflows/triggers'
import { usedActivities } from '@trellis/contract/dataflows/triggers'
import { findNextDue } from '@trellis/dataflow-engine/schedules/due-times'
import { findSchedule, parseTrigger } from '@trellis/dataflow-engine/triggers/trigger'
import { isTriggerComplete } from '@trellis/contract/dataflows/triggers'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { type BlockConnection, listBlockConnections } from '../integrations/connection/block-connections.service.ts'
import { type BlockRow, type LastRun, findLastRuns, findNextTicks } from './blocks.repository.ts'
import type { FaultFacts } from './faults/fault.ts'

type BlockName = Pick<BlockRow, 'id' | 'trellis_code' | 'name'>

export interface CanvasFacts {
  readonly connections: ReadonlyMap<string, BlockConnection>
  readonly byCode: ReadonlyMap<string, BlockName>
  readonly lastRuns: ReadonlyMap<number, LastRun>
  readonly nextTicks: ReadonlyMap<number, Date>
  readonly faultFacts: FaultFacts
  readonly now: Date
  readonly isWorkspaceBlocked: boolean
}

export async function readCanvasFacts(ctx: WorkspaceCtx, blocks: readonly BlockName[]): Promise<CanvasFacts> {
  const ids = blocks.map(({ id }) => id)
  const now = ctx.clock.now()
  const connections = await listBlockConnections(ctx)
  const { type, planEnd } = ctx.account
  return {
    connections,
    byCode: new Map(blocks.map((block) => [block.trellis_code, block])),
    lastRuns: await findLastRuns(ctx, ids),
    nextTicks: await findNextTicks(ctx, ids, now),
    faultFacts: {
      connections,
      activities: blocks.map(({ trellis_code }) => trellis_code),
      today: now.toISOString().slice(0, 10),
    },
    now,
    isWorkspaceBlocked: isPlanOver({ account_type: type, stripe_plan_end_date: planEnd }, now),
  }
}

export const listUpstreamBlocks = (form: TriggerForm, { byCode: blockByCode }: Pick<CanvasFacts, 'byCode'>): string[] =>
  usedActivities(form).filter((code) => blockByCode.has(code))

export function computeNextDue(
  row: Pick<BlockRow, 'id' | 'is_paused' | 'live_trigger' | 'published_at'>,
  { nextTicks, now }: CanvasFacts,
): Date | null {
  if (row.is_paused || !row.live_trigger || !row.published_at || !isTriggerComplete(row.live_trigger)) return null
  const plannedTick = nextTicks.get(row.id)
  if (plannedTick) return plannedTick
  const schedule = findSchedule(parseTrigger(row.live_trigger, row.published_at.getTime()))
  const dueTime = schedule && findNextDue(schedule, now.getTime())
  return dueTime ? new Date(dueTime.at) : null
}
