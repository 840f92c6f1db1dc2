import type { BlockCard } from '@trellis/contract/dataflows/task-blocks.schemas'
import { CONNECTORS } from '@trellis/contract/dataflows/triggers'
import { Handle, type NodeProps, Position } from '@xyflow/react'
import { CalendarClock, StickyNote } from 'lucide-react'
import { memo } from 'react'
import { formatTimeAgo, formatDueTime } from '../../due-text.ts'
import { PUBLISH_STATE_LABELS, formatFaultCount, getBlockStatusLabel } from '../../status-labels.ts'
import type { BlockNode as Shown } from '../model/to-nodes.ts'
import styles from './block.module.css'
import { useSurroundings } from './canvas-context.ts'
import { KindIcon } from './KindIcon.tsx'

/** Memoized, with few elements: there may be hundreds of blocks. */
export const BlockNode = memo(function BlockNode({ data: { block }, selected }: NodeProps<Shown>) {
  const { isOverview, hasNames, canWrite, now } = useSurroundings()
  const { text, tone, isBusy } = getBlockStatusLabel(block)
  if (isOverview)
    return (
      <div className={styles.far} data-kind={block.kind} data-tone={tone} data-selected={selected || undefined}>
        {hasNames && block.name}
      </div>
    )
  return (
    <div className={styles.block} data-kind={block.kind} data-selected={selected || undefined}>
      <Handle type="target" position={Position.Left} isConnectable={canWrite} />
      <Joint block={block} />
      <div className={styles.top}>
        <KindIcon kind={block.kind} icon={block.platform_icon} />
        <div className={styles.texts}>
          <strong>{block.name}</strong>
          <span>{block.integration_name ? `${block.kind} · ${block.integration_name}` : block.kind}</span>
        </div>
        {block.metadata.note !== '' && <StickyNote aria-label="Has a note" className={styles.mark} />}
        {block.has_schedule && <CalendarClock aria-label="Has a schedule" className={styles.mark} />}
      </div>
      <div className={styles.line}>
        <span className={styles.status} data-tone={tone} data-busy={isBusy}>
          {text}
        </span>
        <PublishMark block={block} />
      </div>
      <div className={styles.times}>{formatTimes(block, now)}</div>
      <Handle type="source" position={Position.Right} isConnectable={canWrite} />
    </div>
  )
})

function Joint({ block }: { block: BlockCard }) {
  const ways = block.waits_for.length + (block.has_schedule ? 1 : 0)
  if (ways < 2) return null
  return <span className={styles.joint}>{CONNECTORS[block.trigger_scope]}</span>
}

function PublishMark({ block: { publish_state, faults } }: { block: BlockCard }) {
  if (faults.length > 0)
    return (
      <span className={styles.badge} data-tone={publish_state === 'invalid' ? 'danger' : 'warning'}>
        {formatFaultCount(faults.length)}
      </span>
    )
  if (publish_state === 'published') return null
  const { text, tone } = PUBLISH_STATE_LABELS[publish_state]
  return (
    <span className={styles.badge} data-tone={tone}>
      {text}
    </span>
  )
}

function formatTimes({ last_run, next_due_at }: BlockCard, now: Date): string {
  const last = last_run ? `Ran ${formatTimeAgo(new Date(last_run.at), now)}` : 'Never ran'
  return next_due_at ? `${last} · next ${formatDueTime(new Date(next_due_at), now)}` : last
}
