import type { FlowRun } from '@trellis/contract/runs/flow-runs.schemas'
import type { Tone } from '../ui/feedback/Status.tsx'

export const FLOW_STATE_LABELS: Record<FlowRun['state'], { word: string; tone: Tone }> = {
  running: { word: 'Running', tone: 'info' },
  succeeded: { word: 'Succeeded', tone: 'success' },
  failed: { word: 'Failed', tone: 'danger' },
  needs_decision: { word: 'Needs a decision', tone: 'warning' },
  cancelled: { word: 'Cancelled', tone: 'neutral' },
}
