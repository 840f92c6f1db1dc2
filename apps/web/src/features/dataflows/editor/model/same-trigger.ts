import type { TriggerForm } from '@trellis/contract/dataflows/triggers'

/** jsonb does not keep the order of keys. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sortKeys(inner)]),
  )
}

export const sameTrigger = (a: TriggerForm, b: TriggerForm): boolean =>
  a.eventEvaluationType === b.eventEvaluationType &&
  JSON.stringify(sortKeys(a.actions)) === JSON.stringify(sortKeys(b.actions))
