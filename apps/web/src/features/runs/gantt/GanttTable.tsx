import { formatDuration } from '../../../ui/data/durations.ts'
import { PictureTable } from '../../../running/PictureTable.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { RunStatus } from '../RunStatus.tsx'
import { lastedMs } from '../run-words.ts'
import styles from '../runs.module.css'
import own from './gantt.module.css'
import type { GanttRow } from './gantt-rows.ts'

/** The picture as a table, for those who read rather than look. */
export function GanttTable({
  rows,
  now,
  onOpen,
}: {
  rows: readonly GanttRow[]
  now: number
  onOpen: (run: string) => void
}) {
  return (
    <PictureTable label="Runs over time" heads={['Block', 'Status', 'Due', 'Started', 'Took']} className={own.table}>
      {rows.flatMap((row) => [
        ...row.bars.map(({ run }) => {
          const lasted = lastedMs(run, now)
          return (
            <tr key={run.task_run_trellis_code}>
              <th scope="row">
                <button type="button" className={styles.linkButton} onClick={() => onOpen(run.task_run_trellis_code)}>
                  {row.name}
                </button>
              </th>
              <td>
                <RunStatus run={run} />
              </td>
              <td>
                <DateTime value={run.due_at} />
              </td>
              <td>{run.started_at ? <DateTime value={run.started_at} /> : 'not yet'}</td>
              <td>{lasted === null ? '–' : formatDuration(lasted)}</td>
            </tr>
          )
        }),
        ...row.planned.map((one) => (
          <tr key={`${row.code}-${one.from}`}>
            <th scope="row">{row.name}</th>
            <td>Planned</td>
            <td>
              <DateTime value={new Date(one.from).toISOString()} />
            </td>
            <td>not yet</td>
            <td>–</td>
          </tr>
        )),
      ])}
    </PictureTable>
  )
}
