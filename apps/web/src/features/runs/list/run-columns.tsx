import type { TaskRun } from '@trellis/contract/runs/runs.schemas'
import { formatDuration } from '../../../ui/data/durations.ts'
import type { Column } from '../../../ui/data/DataTable.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import parts from '../../../running/running.module.css'
import { getDurationMs } from '../run-words.ts'
import styles from '../runs.module.css'

export function buildTimeColumns<T extends Pick<TaskRun, 'started_at' | 'finished_at'>>(
  now: number,
  durationWidth: number,
): Column<T>[] {
  return [
    {
      key: 'at',
      title: 'Started',
      width: 176,
      isSecondary: true,
      cell: (run) =>
        run.started_at ? (
          <DateTime value={run.started_at} format="exact" />
        ) : (
          <span className={parts.quiet}>not yet</span>
        ),
    },
    {
      key: 'lasted',
      title: 'Duration',
      width: durationWidth,
      isNumber: true,
      cell: (run) => {
        const ms = getDurationMs(run, now)
        return ms === null ? '–' : formatDuration(ms)
      },
    },
  ]
}

interface ShortTimeProps {
  run: Pick<TaskRun, 'started_at' | 'finished_at'>
  since: string
  now: number
}

/** On phones the time columns have no room, and runs could not be distinguished. */
export function ShortTime({ run, since, now }: ShortTimeProps) {
  const ms = getDurationMs(run, now)
  return (
    <span className={styles.shortTime}>
      <DateTime value={run.started_at ?? since} format="recent" />
      {ms !== null && `, ${formatDuration(ms)}`}
    </span>
  )
}
