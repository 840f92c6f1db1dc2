import type { FlowRunDetails } from '@trellis/contract/runs/flow-runs.schemas'
import type { TaskRun } from '@trellis/contract/runs/runs.schemas'
import { Fragment } from 'react'
import { Link } from 'react-router'
import { shortCount } from '../../../ui/data/amounts.ts'
import { formatDuration } from '../../../ui/data/durations.ts'
import { RunStatus } from '../RunStatus.tsx'
import { getDurationMs, getStatusLabel } from '../run-words.ts'
import styles from './flow-runs.module.css'

interface FlowRunTimelineProps {
  flowRun: FlowRunDetails
  now: number
  logPath: (run: TaskRun) => string
}

/** A retried run stays as a bar before its retry. */
export function FlowRunTimeline({ flowRun, now, logPath }: FlowRunTimelineProps) {
  const { from, width } = findScale(flowRun, now)
  const byBlock = Map.groupBy(flowRun.runs, ({ task_block_trellis_code: code }) => code)
  return (
    <table className={styles.timeline} aria-label="Block runs">
      <thead>
        <tr>
          <th scope="col">Block</th>
          <th scope="col">Status</th>
          <th scope="col" className={styles.when}>
            When
          </th>
          <th scope="col" className={styles.number}>
            Duration
          </th>
          <th scope="col" className={styles.number}>
            Rows
          </th>
        </tr>
      </thead>
      <tbody>
        {[...byBlock].map(([block, runs]) => {
          const last = runs.at(-1)
          if (!last) return null
          const ms = getDurationMs(last, now)
          const track = (
            <span className={styles.track} aria-hidden>
              {runs.map((run) => (
                <Bar key={run.task_run_trellis_code} run={run} scale={{ from, width, now }} />
              ))}
            </span>
          )
          return (
            <Fragment key={block}>
              <tr>
                <th scope="row">
                  <Link to={logPath(last)}>{last.block_name}</Link>
                </th>
                <td>
                  <RunStatus run={last} />
                </td>
                <td className={styles.when}>{track}</td>
                <td className={styles.number}>{ms === null ? '–' : formatDuration(ms)}</td>
                <td className={styles.number}>{shortCount(last.counters.rows_written + last.counters.rows_updated)}</td>
              </tr>
              <tr className={styles.whenBelow} aria-hidden>
                <td colSpan={4}>{track}</td>
              </tr>
            </Fragment>
          )
        })}
      </tbody>
    </table>
  )
}

function findScale({ runs }: FlowRunDetails, now: number): { from: number; width: number } {
  const starts = runs.flatMap(({ started_at: startedAt }) => (startedAt ? [Date.parse(startedAt)] : []))
  const ends = runs.flatMap(({ started_at: startedAt, finished_at: end }) =>
    end ? [Date.parse(end)] : startedAt ? [now] : [],
  )
  const from = starts.length > 0 ? Math.min(...starts) : now
  return { from, width: Math.max(1, (ends.length > 0 ? Math.max(...ends) : now) - from) }
}

function Bar({ run, scale }: { run: TaskRun; scale: { from: number; width: number; now: number } }) {
  if (run.started_at === null) return null
  const start = Date.parse(run.started_at)
  const end = run.finished_at === null ? scale.now : Date.parse(run.finished_at)
  const left = ((start - scale.from) / scale.width) * 100
  return (
    <i
      data-tone={getStatusLabel(run).tone}
      data-open={run.finished_at === null || undefined}
      style={{ left: `${left}%`, width: `${Math.max(0, ((end - start) / scale.width) * 100)}%` }}
    />
  )
}
