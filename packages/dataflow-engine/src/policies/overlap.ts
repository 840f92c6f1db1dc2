import type { OverlapPolicy } from '@trellis/contract/dataflows/dataflow-words'
import { outcomeInWords } from './tick-outcome.ts'

export interface OpenRuns {
  /** Runs of the block that have started and not ended. */
  readonly active: number
  /** The one that waits its turn. */
  readonly waiting: string | null
}

export type OverlapDecision =
  | { readonly do: 'start' }
  | { readonly do: 'wait' }
  | { readonly do: 'replace'; readonly runId: string; readonly reason: string }
  | { readonly do: 'drop'; readonly reason: string }

/** What a firing does while the block has runs that did not end. At most one waits, whatever the policy was before. */
export function decideOverlap(policy: OverlapPolicy, { active, waiting }: OpenRuns): OverlapDecision {
  if (policy === 'parallel') return { do: 'start' }
  if (active === 0 && waiting === null) return { do: 'start' }
  if (policy === 'skip') return { do: 'drop', reason: outcomeInWords('overlapped') }
  if (waiting === null) return { do: 'wait' }
  return { do: 'replace', runId: waiting, reason: outcomeInWords('replaced') }
}
