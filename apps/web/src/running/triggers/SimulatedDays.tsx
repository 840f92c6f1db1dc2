import { formatCount } from '../../ui/data/amounts.ts'
import { Badge } from '../../ui/feedback/Status.tsx'
import { PictureTable } from '../PictureTable.tsx'
import styles from '../running.module.css'
import { toWeight, type SimulatedDay } from './simulator-days.ts'
import own from './triggers.module.css'

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const MAX_PER_DAY = 200
const MAX_LINES = 1000

interface CalendarProps {
  days: readonly SimulatedDay[]
  selected: string | undefined
  onChoose: (day: string) => void
}

export function Calendar({ days, selected, onChoose }: CalendarProps) {
  const most = Math.max(0, ...days.map(({ runs }) => runs.length))
  return (
    <div className={own.calendar} role="group" aria-label="Runs by day">
      {WEEKDAYS.map((word) => (
        <span key={word} className={own.weekday} aria-hidden>
          {word}
        </span>
      ))}
      {days.map((day, index) => (
        <button
          key={day.day}
          type="button"
          className={own.day}
          data-weight={toWeight(day.runs.length, most)}
          data-clock={day.clockChanges.length > 0}
          aria-pressed={day.day === selected}
          style={index === 0 ? { gridColumnStart: day.weekday + 1 } : undefined}
          onClick={() => onChoose(day.day)}
        >
          <span>{day.day.endsWith('-01') || index === 0 ? formatMonth(day.day) : Number(day.day.slice(8))}</span>
          <strong>{day.runs.length || ''}</strong>
          <span className="visually-hidden">
            {`${day.runs.length === 1 ? 'run' : 'runs'} on ${day.day}${day.clockChanges.length > 0 ? ', the clocks change' : ''}`}
          </span>
        </button>
      ))}
    </div>
  )
}

const formatMonth = (day: string) =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )

export function DayRuns({ day, getBlockName }: { day: SimulatedDay; getBlockName: (code: string) => string }) {
  return (
    <section>
      <h3>{day.day}</h3>
      {day.clockChanges.map((text) => (
        <p key={text} className={styles.warn}>
          {text}
        </p>
      ))}
      {day.runs.length === 0 && <p className={styles.quiet}>Nothing would run on this day.</p>}
      <ol className={own.due}>
        {day.runs.slice(0, MAX_PER_DAY).map((run) => (
          <li key={run.at + run.task_block_trellis_code}>
            <time dateTime={run.at}>{run.local.slice(11, 16)}</time>{' '}
            <strong>{getBlockName(run.task_block_trellis_code)}</strong>
            {run.is_queued && <Badge tone="warning">Has to wait</Badge>}
            <span>{run.because}</span>
          </li>
        ))}
      </ol>
      {day.runs.length > MAX_PER_DAY && (
        <p className={styles.quiet}>And {formatCount(day.runs.length - MAX_PER_DAY, 'more run')}.</p>
      )}
    </section>
  )
}

export function DayTable({
  days,
  getBlockName,
}: {
  days: readonly SimulatedDay[]
  getBlockName: (code: string) => string
}) {
  return (
    <PictureTable
      label="Runs of the next 60 days"
      columnTitles={['When', 'Block', 'Triggered by']}
      className={own.table}
    >
      {days
        .flatMap(({ runs }) => runs)
        .slice(0, MAX_LINES)
        .map((run) => (
          <tr key={run.at + run.task_block_trellis_code}>
            <td>
              <span>{run.local.slice(0, 10)}</span> {run.local.slice(11, 16)}
            </td>
            <td>{getBlockName(run.task_block_trellis_code)}</td>
            <td>
              {run.because}
              {run.is_queued && ' (has to wait for a run that is still going on)'}
            </td>
          </tr>
        ))}
    </PictureTable>
  )
}
