import type { FLOW_RUN_CAUSES, FlowRun, FlowRunDetails } from '@trellis/contract/runs/flow-runs.schemas'
import { FLOW_STATE_LABELS } from '../../../running/flow-run-states.ts'
import { formatDuration } from '../../../ui/data/durations.ts'
import type { Tone } from '../../../ui/feedback/Status.tsx'
import { STATUS_LABELS, isWaitingForDecision } from '../run-words.ts'

export const CAUSE_LABELS: Record<(typeof FLOW_RUN_CAUSES)[number], string> = {
  schedule: 'A schedule',
  event: 'Another dataflow',
  person: 'A person',
  api: 'The API',
  backfill: 'A backfill',
  inbound_webhook: 'Webhook',
}

type Dot = Pick<FlowRun['blocks'][number], 'status' | 'is_cancelled' | 'waiting_for'>

export function toDot(block: Dot): { word: string; tone: Tone } {
  if (block.waiting_for === 'decision') return FLOW_STATE_LABELS.needs_decision
  const { label, tone, isOpen } = STATUS_LABELS[block.status]
  return block.is_cancelled && !isOpen ? { word: 'Cancelled', tone: 'neutral' } : { word: label, tone }
}

export function formatProgress({ state, progress }: Pick<FlowRun, 'state' | 'progress'>): string {
  const { done, total } = progress
  if (state === 'succeeded') return `${total} ${total === 1 ? 'block' : 'blocks'}`
  return `${done} of ${total} ${total === 1 ? 'block' : 'blocks'}`
}

/** Not what was cancelled, asks for a decision, or was retried since. */
export function findFailedRuns(runs: FlowRunDetails['runs']): FlowRunDetails['runs'] {
  const latest = [...new Map(runs.map((run) => [run.task_block_trellis_code, run])).values()]
  return latest.filter(
    (run) =>
      (run.status === 'FAILED' || run.status === 'EXCEPTION') &&
      run.problem?.kind !== 'cancelled' &&
      !isWaitingForDecision(run),
  )
}

/** Smaller differences are noise. */
const MIN_RATIO = 1.25

export function listComparisonNotes({ comparison, state }: Pick<FlowRunDetails, 'comparison' | 'state'>): string[] {
  const { duration_ratio: duration, rows_ratio: rows, changed_blocks: changed } = comparison
  const texts: string[] = []
  const [usual, usualRun] = comparison.count === 1 ? ['last time', 'last time'] : ['usual', 'a usual run']
  if (state === 'succeeded' && duration !== null && duration >= MIN_RATIO)
    texts.push(`${formatRatio(duration)} slower than ${usual}`)
  else if (state === 'succeeded' && duration !== null && duration > 0 && duration <= 1 / MIN_RATIO) {
    texts.push(`${formatRatio(1 / duration)} faster than ${usual}`)
  }
  if (state === 'succeeded' && rows !== null && rows >= MIN_RATIO)
    texts.push(`${formatRatio(rows)} as many rows as ${usual}`)
  else if (state === 'succeeded' && rows !== null && rows <= 1 / MIN_RATIO) {
    texts.push(rows === 0 ? `No rows, unlike ${usual}` : `Only ${Math.round(rows * 100)}% of the rows of ${usualRun}`)
  }
  if (changed.length > 0) texts.push(`New version of ${changed.map((name) => `“${name}”`).join(', ')}`)
  return texts
}

/** One earlier run is not what is usual. */
export const formatUsualValue = (amount: string, count: number): string =>
  count === 1 ? `${amount} last time` : `usually ${amount}`

/** What is usual does not count waiting for a decision or a retry, so what this run waited is told apart. */
export function formatUsualDuration(
  { duration_ms: usual, duration_ratio: ratio, count }: FlowRunDetails['comparison'],
  lasted: number | null,
): string | null {
  if (usual === null) return null
  const text = `${formatUsualValue(formatDuration(usual), count)}${count === 1 ? '' : `, median of ${count}`}`
  const worked = ratio === null ? null : ratio * usual
  if (worked === null || lasted === null || lasted < worked * MIN_RATIO) return text
  return `${formatDuration(worked)} without waiting, ${text}`
}

const formatRatio = (ratio: number): string => `${ratio >= 10 ? Math.round(ratio) : ratio.toFixed(1)}×`
