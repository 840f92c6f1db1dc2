import type { TriggerEvent } from './events.ts'
import type { BranchName, Trigger } from './trigger.ts'

interface TriggerFiring {
  readonly eventIds: readonly string[]
  readonly at: number
}

export interface FiringDecision {
  readonly firings: readonly TriggerFiring[]
  readonly waiting: readonly TriggerEvent[]
  readonly stale: readonly TriggerEvent[]
}

/**
 * Any: each event starts a run. All: one run per complete set, oldest events first. Independent of the order of
 * delivery.
 */
export function decideFirings(trigger: Trigger, unused: readonly TriggerEvent[]): FiringDecision {
  const names = new Set<BranchName>(trigger.scope === 'none' ? [] : trigger.branches.map(({ name }) => name))
  const events = removeDuplicates(unused)
  const stale = events.filter(({ branch }) => !names.has(branch))
  const live = events.filter(({ branch }) => names.has(branch))
  if (trigger.scope !== 'all') {
    return { firings: live.map(({ id, at }) => ({ eventIds: [id], at })), waiting: [], stale }
  }
  const lines = [...names].map((name) => live.filter(({ branch }) => branch === name))
  const turns = Math.min(...lines.map(({ length }) => length))
  const firings = Array.from({ length: Number.isFinite(turns) ? turns : 0 }, (_, turn) => {
    const usedTriggerEvents = lines.flatMap((line) => line.slice(turn, turn + 1)).toSorted(byAge)
    return { eventIds: usedTriggerEvents.map(({ id }) => id), at: Math.max(...usedTriggerEvents.map(({ at }) => at)) }
  })
  const waiting = lines.flatMap((line) => line.slice(firings.length)).toSorted(byAge)
  return { firings, waiting, stale }
}

const byAge = (a: TriggerEvent, b: TriggerEvent): number => a.at - b.at || (a.id < b.id ? -1 : Number(a.id > b.id))

const removeDuplicates = (events: readonly TriggerEvent[]): TriggerEvent[] =>
  [...new Map(events.map((event) => [event.id, event])).values()].toSorted(byAge)
