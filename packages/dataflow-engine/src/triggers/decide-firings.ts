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
  const branchNames = new Set<BranchName>(trigger.scope === 'none' ? [] : trigger.branches.map(({ name }) => name))
  const events = removeDuplicates(unused)
  const stale = events.filter(({ branch }) => !branchNames.has(branch))
  const liveEvents = events.filter(({ branch }) => branchNames.has(branch))
  if (trigger.scope !== 'all') {
    return { firings: liveEvents.map(({ id, at }) => ({ eventIds: [id], at })), waiting: [], stale }
  }
  const eventsByBranch = [...branchNames].map((name) => liveEvents.filter(({ branch }) => branch === name))
  const completeSets = Math.min(...eventsByBranch.map(({ length }) => length))
  const firings = Array.from({ length: Number.isFinite(completeSets) ? completeSets : 0 }, (_, turn) => {
    const usedEvents = eventsByBranch
      .flatMap((branchEvents) => branchEvents.slice(turn, turn + 1))
      .toSorted(compareByAge)
    return { eventIds: usedEvents.map(({ id }) => id), at: Math.max(...usedEvents.map(({ at }) => at)) }
  })
  const waiting = eventsByBranch.flatMap((branchEvents) => branchEvents.slice(firings.length)).toSorted(compareByAge)
  return { firings, waiting, stale }
}

const compareByAge = (a: TriggerEvent, b: TriggerEvent): number =>
  a.at - b.at || (a.id < b.id ? -1 : Number(a.id > b.id))

const removeDuplicates = (events: readonly TriggerEvent[]): TriggerEvent[] =>
  [...new Map(events.map((event) => [event.id, event])).values()].toSorted(compareByAge)
