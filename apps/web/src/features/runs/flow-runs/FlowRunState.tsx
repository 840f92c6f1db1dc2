import type { FlowRun } from '@trellis/contract/runs/flow-runs.schemas'
import { FLOW_STATE_LABELS } from '../../../running/flow-run-states.ts'
import { StatusDot } from '../../../ui/feedback/Status.tsx'
import { toDot } from './flow-run-words.ts'
import styles from './flow-runs.module.css'

export function FlowRunState({ state }: { state: FlowRun['state'] }) {
  const { word, tone } = FLOW_STATE_LABELS[state]
  return (
    <StatusDot tone={tone} isBusy={state === 'running'}>
      {word}
    </StatusDot>
  )
}

const MAX_DOTS = 24

export function BlockDots({ blocks }: { blocks: FlowRun['blocks'] }) {
  return (
    <ul className={styles.dots} aria-label="Blocks">
      {blocks.slice(0, MAX_DOTS).map((block) => {
        const { word, tone } = toDot(block)
        const text = `${block.block_name}: ${word}`
        return <li key={block.task_run_trellis_code} data-tone={tone} title={text} aria-label={text} />
      })}
      {blocks.length > MAX_DOTS && <li className={styles.more}>+{blocks.length - MAX_DOTS}</li>}
    </ul>
  )
}
