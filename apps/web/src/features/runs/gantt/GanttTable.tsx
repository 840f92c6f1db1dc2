import { formatDuration } from '../../../ui/data/durations.ts'
import { PictureTable } from '../../../running/PictureTable.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { StatusDot } from '../../../ui/feedback/Status.tsx'
import { getDurationMs } from '../run-words.ts'
import styles from '../runs.module.css'
import own from './gantt.module.css'
import type { GanttRow } from './gantt-rows.ts'

export function GanttTable({
  rows,
  now,
  head,
  onOpen,
}: {
  rows: readonly GanttRow[]
  now: number
  head: string
  onOpen: (run: string, row: GanttRow) => void
}) {
  return (
    <PictureTable
      label="Runs over time"
      columnTitles={[head, 'Status', 'Due', 'Started', 'Duration']}
      className={own.table}
    >
      {rows.flatMap((row) => [
        ...row.bars.map(({ run }) => {
          const lasted = getDurationMs(run, now)
          return (
            <tr key={run.key}>
              <th scope="row">
                <button type="button" className={styles.linkButton} onClick={() => onOpen(run.key, row)}>
                  {row.name}
                </button>
              </th>
              <td>
                <StatusDot tone={run.tone} isBusy={run.isOpen && run.started_at !== null}>
                  {run.word}
                </StatusDot>
              </td>
              <td>
                <DateTime value={run.due_at} />
              </td>
              <td>{run.started_at ? <DateTime value={run.started_at} /> : 'not yet'}</td>
              <td>{lasted === null ? '–' : formatDuration(lasted)}</td>
            </tr>
          )
        }),
        ...row.planned.map((item) => (
          <tr key={`${row.code}-${item.from}`}>
            <th scope="row">{row.name}</th>
            <td>Planned</td>
            <td>
              <DateTime value={new Date(item.from).toISOString()} />
            </td>
            <td>not yet</td>
            <td>–</td>
          </tr>
        )),
      ])}
    </PictureTable>
  )
}
