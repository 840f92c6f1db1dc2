import { useRef } from 'react'
import { formatDuration } from '../../../ui/data/durations.ts'
import { formatCount } from '../../../ui/data/amounts.ts'
import { formatDateTime } from '../../../ui/data/date-text.ts'
import { useFloating } from '../../../ui/overlays/use-floating.ts'
import { getDurationMs } from '../run-words.ts'
import type { GanttBar } from './gantt-rows.ts'
import styles from './gantt.module.css'

export function GanttTip({ bar: { run, segments }, now, anchor }: { bar: GanttBar; now: number; anchor: Element }) {
  const panel = useRef<HTMLDivElement>(null)
  useFloating({ isOpen: true, anchor: () => anchor, panel, side: 'top', align: 'center', gap: 6 })
  const lasted = getDurationMs(run, now)
  const attempts = segments.filter(({ kind }) => kind === 'work' || kind === 'failed').length
  return (
    <div ref={panel} role="tooltip" popover="manual" className={styles.tip}>
      <strong>
        {run.word}
        {lasted !== null && ` · ${formatDuration(lasted)}`}
      </strong>
      <span>{run.because}</span>
      <span>{formatDateTime(new Date(run.started_at ?? run.due_at))}</span>
      <span>
        {formatCount(run.rows, 'row')} written
        {attempts > 1 && ` · ${formatCount(attempts, 'attempt')}`}
      </span>
      {run.message !== null && <span>{run.message}</span>}
    </div>
  )
}
