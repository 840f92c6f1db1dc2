import type { TriggerForm } from '@trellis/contract/dataflows/triggers'
import { listActions, usedActivities } from '@trellis/contract/dataflows/triggers'
import { type Graph, formatCycle, findCycle } from '@trellis/dataflow-engine/graph/graph'
import { AppError } from '../../platform/app-error.ts'
import type { BlockRow } from './blocks.repository.ts'
import type { TriggerCards } from './ticks.repository.ts'

export const getDraftTrigger = ({ settings }: BlockRow): TriggerForm => settings.trigger
export const getLiveTrigger = ({ live_trigger }: BlockRow): TriggerForm | null => live_trigger

/** By draft or published version; `changed` overrides a block's. */
export function buildGraph(
  blocks: readonly BlockRow[],
  getTrigger: (block: BlockRow) => TriggerForm | null,
  overrides: ReadonlyMap<string, TriggerForm> = new Map(),
): Graph {
  return new Map(
    blocks.map((block) => {
      const form = overrides.get(block.trellis_code) ?? getTrigger(block)
      return [block.trellis_code, form ? usedActivities(form) : []]
    }),
  )
}

export function assertNoCycle(graph: Graph, blocks: readonly BlockRow[]): void {
  const cycle = findCycle(graph)
  if (!cycle) return
  const nameByCode = new Map(blocks.map(({ trellis_code, name }) => [trellis_code, name]))
  throw new AppError(
    'trigger_cycle',
    formatCycle(cycle, (code) => `"${nameByCode.get(code) ?? code}"`),
    { source: { pointer: '/settings/trigger' } },
  )
}

/** Ids of the form's cards by cause; upstream blocks that are not among `blocks` are left out. */
export function toTriggerCards(form: TriggerForm, blocks: readonly BlockRow[]): TriggerCards {
  const idByCode = new Map(blocks.map(({ trellis_code, id }) => [trellis_code, id]))
  const upstream = new Map<number, string>()
  let schedule: string | null = null
  for (const [card, action] of listActions(form)) {
    if (action.action === 'Schedule') schedule = card
    else {
      const id = idByCode.get(action.actionValue.taskBlockTrellisCode)
      if (id !== undefined) upstream.set(id, card)
    }
  }
  return { schedule, upstream }
}
