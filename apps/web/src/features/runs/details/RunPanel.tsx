import type { RunNeighbour, TaskRunDetails } from '@trellis/contract/runs/runs.schemas'
import { lazy, Suspense, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { WorkspaceAddress } from '../../../api/workspace-address.ts'
import { formatDuration } from '../../../ui/data/durations.ts'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { formatBytes, wholeNumber } from '../../../ui/data/amounts.ts'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { Badge } from '../../../ui/feedback/Status.tsx'
import { SidePanel } from '../../../ui/overlays/SidePanel.tsx'
import { RunStatus } from '../RunStatus.tsx'
import { isOpenRun, getDurationMs, formatDelay, STARTER_LABELS, STATUS_LABELS } from '../run-words.ts'
import { useRun } from '../runs.queries.ts'
import parts from '../../../running/running.module.css'
import styles from '../runs.module.css'
import { useNow } from '../use-now.ts'
import { RunActions } from './RunActions.tsx'
import { RunProblem } from './RunProblem.tsx'
import { Attempts, Receipts } from './RunProof.tsx'
import { RunUndoState } from './RunUndoState.tsx'

const Comparisons = lazy(() => import('../shadow/Comparisons.tsx'))

export interface RunPanelProps {
  address: WorkspaceAddress
  run: string
  canWrite: boolean
  flowPath: (run: TaskRunDetails) => string | null
  logPath: (run: TaskRunDetails) => string
  setupPath: (run: TaskRunDetails) => string
  onRun: (run: string) => void
  onClose: () => void
}

export default function RunPanel(props: RunPanelProps) {
  const query = useRun(props.address, props.run)
  return (
    <SidePanel title={query.data ? `Run of ${query.data.block_name}` : 'Run'} onClose={props.onClose}>
      <Loaded query={query} subject="The run">
        {(run) => <RunDetails {...props} details={run} />}
      </Loaded>
    </SidePanel>
  )
}

function RunDetails({
  details: run,
  address,
  canWrite,
  flowPath,
  logPath,
  setupPath,
  onRun,
}: RunPanelProps & { details: TaskRunDetails }) {
  const now = useNow(isOpenRun(run) ? 1000 : null)
  return (
    <div className={parts.panel}>
      <div className={styles.panelHead}>
        <RunStatus run={run} />
        {run.is_shadow && <Badge tone="info">Dry run</Badge>}
        <p>
          <Because text={run.because} to={flowPath(run)} />
        </p>
      </div>
      <RunProblem run={run} address={address} canWrite={canWrite} setupPath={setupPath(run)} onRun={onRun} />
      <RunUndoState run={run} address={address} canWrite={canWrite} />
      <RunActions run={run} address={address} canWrite={canWrite} logPath={logPath(run)} onRun={onRun} />
      <RunCounters run={run} lasted={getDurationMs(run, now)} />
      {run.is_shadow && run.status === 'SUCCESS' && canWrite && (
        <Suspense fallback={null}>
          <Comparisons address={address} run={run.task_run_trellis_code} />
        </Suspense>
      )}
      <section>
        <h3>Times</h3>
        <Times run={run} />
      </section>
      <Receipts run={run} address={address} canWrite={canWrite} onRun={onRun} />
      <Attempts run={run} now={now} />
      <Chain title="Upstream runs" runs={run.upstream} onRun={onRun} />
      <Chain title="Downstream runs" runs={run.downstream} onRun={onRun} />
    </div>
  )
}

function Because({ text, to }: { text: string; to: string | null }) {
  if (to === null) return text
  return (
    <>
      {text} <Link to={to}>Whole run</Link>
    </>
  )
}

function RunCounters({ run: { counters, is_shadow }, lasted }: { run: TaskRunDetails; lasted: number | null }) {
  const { rows_read, rows_written, rows_updated, rows_rejected, rows_per_second, bytes, peak_memory_bytes } = counters
  const duration: [string, string] = ['Duration', lasted === null ? '–' : formatDuration(lasted)]
  const read: [string, string] = ['Read', wholeNumber(rows_read)]
  const all: [string, string][] = is_shadow
    ? [read, ['Rejected rows', wholeNumber(rows_rejected)], duration, ['Data', formatBytes(bytes)]]
    : [
        read,
        ['Written', wholeNumber(rows_written)],
        ['Updated', wholeNumber(rows_updated)],
        ['Rejected rows', wholeNumber(rows_rejected)],
        duration,
        ['Rows/s', wholeNumber(rows_per_second)],
        ['Data', formatBytes(bytes)],
        ['Memory', peak_memory_bytes > 0 ? `+${formatBytes(peak_memory_bytes)}` : '–'],
      ]
  return (
    <dl className={styles.numbers} aria-label="Counters">
      {all.map(([word, value]) => (
        <div key={word}>
          <dt>{word}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Times({ run }: { run: TaskRunDetails }) {
  const late = formatDelay(run)
  const facts: [string, ReactNode][] = [
    ...(run.nominal_at
      ? ([['Scheduled for', <DateTime key="n" value={run.nominal_at} />]] as [string, ReactNode][])
      : []),
    ['Due', <DateTime key="d" value={run.due_at} />],
    [
      'Started',
      run.started_at ? (
        <>
          <DateTime value={run.started_at} />
          {late && <span className={parts.quiet}> · {late}</span>}
        </>
      ) : (
        'not yet'
      ),
    ],
    ...(run.retry_at ? ([['Next attempt', <DateTime key="r" value={run.retry_at} />]] as [string, ReactNode][]) : []),
    ['Finished', run.finished_at ? <DateTime key="f" value={run.finished_at} /> : 'not yet'],
    ['Started by', run.who ?? STARTER_LABELS[run.started_by]],
    ['Version', run.is_shadow ? 'The draft, as it was then' : `Version ${run.version_number} of the block`],
    ['Reference', <code key="c">{run.task_run_trellis_code}</code>],
  ]
  return (
    <dl className={parts.facts}>
      {facts.map(([word, value]) => (
        <div key={word} className={parts.fact}>
          <dt>{word}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

interface ChainProps {
  title: string
  runs: readonly RunNeighbour[]
  onRun: (run: string) => void
}

function Chain({ title, runs, onRun }: ChainProps) {
  if (runs.length === 0) return null
  return (
    <section>
      <h3>{title}</h3>
      <ul className={styles.links}>
        {runs.map(({ task_run_trellis_code: code, block_name, status }) => (
          <li key={code}>
            <button type="button" className={styles.linkButton} onClick={() => onRun(code)}>
              {block_name}
            </button>{' '}
            <span className={parts.quiet}>{STATUS_LABELS[status].label}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
