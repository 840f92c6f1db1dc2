import type {
  FLOW_RUN_CAUSES,
  FLOW_RUN_STATES,
  FlowRun,
  FlowRunDetails,
} from '@trellis/contract/runs/flow-runs.schemas'
import type { Tone } from '../../../ui/feedback/Status.tsx'
import { STATUS_WORDS } from '../run-words.ts'

type FlowRunState = (typeof FLOW_RUN_STATES)[number]

export const FLOW_STATE_WORDS: Record<FlowRunState, { word: string; tone: Tone }> = {
  running: { word: 'Running', tone: 'info' },
  succeeded: { word: 'Succeeded', tone: 'success' },
  failed: { word: 'Failed', tone: 'danger' },
  cancelled: { word: 'Cancelled', tone: 'neutral' },
}

export const CAUSE_WORDS: Record<(typeof FLOW_RUN_CAUSES)[number], string> = {
  schedule: 'A schedule',
  event: 'Another dataflow',
  person: 'A person',
  api: 'The API',
  backfill: 'A backfill',
}

export function toDot(block: Pick<FlowRun['blocks'][number], 'status' | 'is_cancelled'>): { word: string; tone: Tone } {
  const { word, tone, isOpen } = STATUS_WORDS[block.status]
  return block.is_cancelled && !isOpen ? { word: 'Cancelled', tone: 'neutral' } : { word, tone }
}

export function progressText({ state, progress }: Pick<FlowRun, 'state' | 'progress'>): string {
  const { done, total } = progress
  if (state === 'succeeded') return `${total} ${total === 1 ? 'block' : 'blocks'}`
  return `${done} of ${total} ${total === 1 ? 'block' : 'blocks'}`
}

/** Smaller differences are the usual noise. */
const MIN_RATIO = 1.25

/** How it differs from earlier ones, as short sentences; none when it went as usual. */
export function comparisonTexts({ comparison, state }: Pick<FlowRunDetails, 'comparison' | 'state'>): string[] {
  const { duration_ratio: duration, rows_ratio: rows, changed_blocks: changed } = comparison
  const texts: string[] = []
  if (state === 'succeeded' && duration !== null && duration >= MIN_RATIO)
    texts.push(`${times(duration)} slower than usual`)
  else if (state === 'succeeded' && duration !== null && duration > 0 && duration <= 1 / MIN_RATIO) {
    texts.push(`${times(1 / duration)} faster than usual`)
  }
  if (state === 'succeeded' && rows !== null && rows >= MIN_RATIO) texts.push(`${times(rows)} as many rows as usual`)
  else if (state === 'succeeded' && rows !== null && rows <= 1 / MIN_RATIO) {
    texts.push(rows === 0 ? 'No rows, unlike usual' : `Only ${Math.round(rows * 100)}% of the usual rows`)
  }
  if (changed.length > 0) texts.push(`New version of ${changed.map((name) => `“${name}”`).join(', ')}`)
  return texts
}

const times = (ratio: number): string => `${ratio >= 10 ? Math.round(ratio) : ratio.toFixed(1)}×`
