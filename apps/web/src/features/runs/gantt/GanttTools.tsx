import { ChevronLeft, ChevronRight, Table2, ZoomIn, ZoomOut } from 'lucide-react'
import { Button } from '../../../ui/actions/Button.tsx'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { Select } from '../../../ui/forms/Select.tsx'
import styles from './gantt.module.css'

interface GanttToolsProps {
  value: string
  options: readonly { value: string; label: string }[]
  /** Follows the clock. */
  isNow: boolean
  isTable: boolean
  onPan: (part: number) => void
  onNow: () => void
  onZoom: (step: 1 | -1) => void
  onSpan: (value: string) => void
  onTable: () => void
}

export function GanttTools(props: GanttToolsProps) {
  const { value, options, isNow, isTable, onPan, onNow, onZoom, onSpan, onTable } = props
  return (
    <div className={styles.tools}>
      <IconButton label="Earlier" icon={<ChevronLeft aria-hidden />} onClick={() => onPan(-0.5)} />
      <Button onClick={onNow} disabled={isNow}>
        Now
      </Button>
      <IconButton label="Later" icon={<ChevronRight aria-hidden />} onClick={() => onPan(0.5)} />
      <IconButton label="Zoom in" hint="+" icon={<ZoomIn aria-hidden />} onClick={() => onZoom(-1)} />
      <IconButton label="Zoom out" hint="-" icon={<ZoomOut aria-hidden />} onClick={() => onZoom(1)} />
      <span className={styles.span}>
        <Select
          label="Time shown"
          value={value}
          options={options.map(({ value: one, label }) => ({ value: one, label }))}
          onChange={(event) => onSpan(event.target.value)}
        />
      </span>
      <Button icon={<Table2 aria-hidden />} aria-pressed={isTable} onClick={onTable}>
        As a table
      </Button>
      <Legend />
    </div>
  )
}

function Legend() {
  return (
    <ul className={styles.legend} aria-label="Meaning of the bars">
      {(['wait', 'work', 'open', 'failed', 'pause', 'decision', 'planned'] as const).map((kind) => (
        <li key={kind}>
          <i data-mark={kind} />
          {
            {
              wait: 'Waits its turn',
              work: 'Ran',
              open: 'Not over yet',
              failed: 'Failed attempt',
              pause: 'Waits to retry',
              decision: 'Needs a decision',
              planned: 'Planned',
            }[kind]
          }
        </li>
      ))}
    </ul>
  )
}
