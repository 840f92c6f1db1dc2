import type { Dashboard, DataflowHealth } from '@trellis/contract/dashboard/dashboard.schemas'
import { Link } from 'react-router'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { shortCount } from '../../../ui/data/amounts.ts'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { formatDuration } from '../../../ui/data/durations.ts'
import { StatusDot } from '../../../ui/feedback/Status.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { FLOW_STATE_LABELS } from '../../../running/flow-run-states.ts'
import { useRetryFlowRun } from '../../runs/flow-runs/retry-flow-run.queries.ts'
import styles from './health.module.css'
import type { HomeScope } from './use-home-scope.ts'

type FlowRun = Dashboard['recent_flow_runs'][number]

export function RecentRunsCard({ runs, scope }: { runs: readonly FlowRun[]; scope: HomeScope }) {
  return (
    <Card isFlush title="Recent runs">
      {runs.length === 0 ? (
        <p className={styles.none}>Nothing has run yet.</p>
      ) : (
        <ul className={styles.list} aria-label="Recent runs">
          {runs.map((run) => {
            const { word, tone } = FLOW_STATE_LABELS[run.state]
            return (
              <li key={run.flow_run_trellis_code}>
                <span className={styles.what}>
                  <Link to={scope.flowRun(run)}>{run.dataflow_name}</Link>
                  <span className={styles.why}>{run.because}</span>
                </span>
                <span className={styles.outcome}>
                  <StatusDot tone={tone} isBusy={run.state === 'running'}>
                    {word}
                  </StatusDot>
                  <span className={styles.why}>
                    {getDurationText(run)}
                    {`${shortCount(run.rows_written)} ${run.rows_written === 1 ? 'row' : 'rows'}`}
                  </span>
                </span>
                <span className={styles.when}>
                  <DateTime value={run.finished_at ?? run.started_at ?? run.created_at} format="recent" />
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </Card>
  )
}

function getDurationText({ started_at: from, finished_at: to }: FlowRun): string {
  return from === null || to === null ? '' : `${formatDuration(Date.parse(to) - Date.parse(from))} · `
}

export function FailuresCard({ failures, scope }: { failures: DataflowHealth['failures']; scope: HomeScope }) {
  const retry = useRetryFlowRun()
  return (
    <Card isFlush title="Failed" subtitle="Runs with blocks that have not run again since.">
      {failures.length === 0 ? (
        <p className={styles.none}>
          <StatusDot tone="success">Nothing has failed</StatusDot>
        </p>
      ) : (
        <ul className={styles.list} aria-label="Failed">
          {failures.map((failure) => (
            <li key={failure.flow_run_trellis_code}>
              <span className={styles.what}>
                <Link to={scope.flowRun(failure)}>{`${failure.dataflow_name} › ${toNames(failure.block_names)}`}</Link>
                <span className={styles.why}>{failure.message ?? 'It ended without an error message.'}</span>
              </span>
              <span className={styles.when}>
                <DateTime value={failure.at} format="relative" />
              </span>
              {scope.can('dataflows:write') &&
                (failure.state === 'needs_decision' ? (
                  <ButtonLink size="sm" to={scope.flowRun(failure)}>
                    Decide
                  </ButtonLink>
                ) : (
                  <Button
                    size="sm"
                    isBusy={
                      retry.isPending && retry.variables.params.flow_run_trellis_code === failure.flow_run_trellis_code
                    }
                    onClick={() =>
                      retry.mutate({
                        params: { ...scope.params, flow_run_trellis_code: failure.flow_run_trellis_code },
                      })
                    }
                  >
                    Retry run
                  </Button>
                ))}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

const toNames = ([first, ...others]: readonly string[]): string =>
  others.length === 0 ? (first ?? '') : `${first} and ${others.length} more`
