import type { OverlapPolicy } from '@trellis/contract/dataflows/dataflow-words'
import { describeOutcome } from './tick-outcome.ts'

export interface OpenRuns {
  readonly active: number
  readonly waiting: string | null
}

export type OverlapDecision =
  | { readonly do: 'start' }
  | { readonly do: 'wait' }
  | { readonly do: 'replace'; readonly runId: string; readonly reason: string }
  | { readonly do: 'drop'; readonly reason: string }

/** At most one run waits, even if the policy was changed. */
export function decideOverlap(policy: OverlapPolicy, { active, waiting }: OpenRuns): OverlapDecision {
  if (policy === 'parallel') return { do: 'start' }
  if (active === 0 && waiting === null) return { do: 'start' }
  if (policy === 'skip') return { do: 'drop', reason: describeOutcome('overlapped') }
  if (waiting === null) return { do: 'wait' }
  return { do: 'replace', runId: waiting, reason: describeOutcome('replaced') }
}
