import type { TriggerForm } from '@trellis/contract/dataflows/triggers'

/** A database gives the members of an object back in an order of its own. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}

/** Whether two say the same; completeness follows from the rest. */
export const sameTrigger = (a: TriggerForm, b: TriggerForm): boolean =>
  a.eventEvaluationType === b.eventEvaluationType &&
  JSON.stringify(sorted(a.actions)) === JSON.stringify(sorted(b.actions))
