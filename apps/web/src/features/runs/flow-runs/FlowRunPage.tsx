import type { FlowRunDetails } from '@trellis/contract/runs/flow-runs.schemas'
import { ArrowLeft, CircleStop, RotateCcw } from 'lucide-react'
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { cacheName } from '../../../app/shell/cached-names.ts'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { wholeNumber } from '../../../ui/data/amounts.ts'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { formatDuration } from '../../../ui/data/durations.ts'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Badge } from '../../../ui/feedback/Status.tsx'
import { Page } from '../../../ui/layout/Page.tsx'
import { DecisionWords } from '../details/SchemaDecision.tsx'
import { RunProblem } from '../details/RunProblem.tsx'
import { StopRunDialog } from '../details/StopRunDialog.tsx'
import { useDataflowsPlace, useEditorAddress } from '../../dataflows/dataflows.queries.ts'
import logStyles from '../log/log.module.css'
import { lastedMs, needsDecision } from '../run-words.ts'
import { useLiveRuns } from '../runs.queries.ts'
import { useNow } from '../use-now.ts'
import {
  formatRunComparison,
  findFailedRuns,
  formatProgress,
  formatUsualDuration,
  formatUsualValue,
} from './flow-run-words.ts'
import { useCancelFlowRun, useFlowRun } from './flow-runs.queries.ts'
import { useRetryFlowRun } from './retry-flow-run.queries.ts'
import styles from './flow-runs.module.css'
import { FlowRunState } from './FlowRunState.tsx'
import { FlowRunTimeline } from './FlowRunTimeline.tsx'

const FlowRunLog = lazy(() => import('./FlowRunLog.tsx'))

export function Component() {
  const { address, paths } = useDataflowsPlace()
  const { dataflow, flowRun } = useEditorAddress()
  const query = useFlowRun(address, flowRun)
  useLiveRuns(address, dataflow)
  const run = query.data
  useEffect(() => {
    if (run) cacheName(dataflow, run.dataflow_name)
  }, [dataflow, run])
  if (run) return <FlowRunView key={flowRun} run={run} />
  return (
    <Page>
      <Loaded
        query={query}
        what="The run"
        ghosts={[40, 120, 240]}
        elsewhere={<ButtonLink to={paths.logs(dataflow)}>All runs of the dataflow</ButtonLink>}
      >
        {() => null}
      </Loaded>
    </Page>
  )
}

function FlowRunView({ run }: { run: FlowRunDetails }) {
  const { address, paths } = useDataflowsPlace()
  const { dataflow } = useEditorAddress()
  const isRunning = run.state === 'running'
  const now = useNow(isRunning ? 1000 : null)
  const heading = useRef<HTMLHeadingElement>(null)
  const actions = useRef<HTMLDivElement>(null)
  const hasActed = useRef(false)
  const act = () => {
    hasActed.current = true
  }
  // The pressed button disappears: keep focus on the page.
  useEffect(() => {
    if (!hasActed.current || document.activeElement !== document.body) return
    const next = actions.current?.querySelector('button') ?? heading.current
    next?.focus()
  }, [run.state, run.can_retry, run.can_cancel])
  return (
    <div className={logStyles.page}>
      <header className={logStyles.head}>
        <ButtonLink variant="ghost" to={paths.logs(dataflow)} icon={<ArrowLeft aria-hidden />}>
          Runs
        </ButtonLink>
        <h1 ref={heading} tabIndex={-1}>
          {run.dataflow_name}
        </h1>
        <FlowRunState state={run.state} />
        {run.is_shadow && <Badge tone="info">Dry run</Badge>}
        {formatRunComparison(run).map((text) => (
          <Badge key={text} tone="warning">
            {text}
          </Badge>
        ))}
        <p>
          <DateTime value={run.started_at ?? run.created_at} /> · <Cause run={run} />
        </p>
        <FlowRunActions run={run} box={actions} onAct={act} />
      </header>
      <div>
        <div className={logStyles.above}>
          <Problems runs={run.runs.filter(needsDecision)} onDecide={act} />
          <Failures run={run} />
          <Decisions runs={run.runs} />
        </div>
        <div className={styles.summary}>
          <Numbers run={run} now={now} />
          <FlowRunTimeline
            flowRun={run}
            now={now}
            logPath={(item) => paths.runLog(dataflow, item.task_block_trellis_code, item.task_run_trellis_code)}
          />
        </div>
      </div>
      <Suspense fallback={<Skeleton height={240} />}>
        <FlowRunLog address={address} flowRun={run} />
      </Suspense>
    </div>
  )
}

function Problems({ runs, onDecide }: { runs: FlowRunDetails['runs']; onDecide?: () => void }) {
  const { address, paths, canWrite } = useDataflowsPlace()
  const { dataflow } = useEditorAddress()
  return runs.map((run) => (
    <RunProblem
      key={run.task_run_trellis_code}
      run={run}
      namesBlock
      address={address}
      canWrite={canWrite}
      setupPath={paths.setup(dataflow, run.task_block_trellis_code)}
      onDecide={onDecide}
    />
  ))
}

/** Whoever follows an old link sees what became of the question. */
const Decisions = ({ runs }: Pick<FlowRunDetails, 'runs'>) =>
  runs.map(({ task_run_trellis_code: code, block_name: name, problem }) => {
    const { decision, changes } = problem?.question ?? {}
    if (!decision) return null
    return (
      <p key={code} className={styles.note}>
        {name}: {changes?.map(({ in_words: words }) => words).join(' ')} <DecisionWords decision={decision} />
      </p>
    )
  })

const MAX_FAILURES = 3

function Failures({ run }: { run: FlowRunDetails }) {
  const failedRuns = findFailedRuns(run.runs)
  return (
    <>
      <Problems runs={failedRuns.slice(0, MAX_FAILURES)} />
      {failedRuns.length > MAX_FAILURES && (
        <p className={styles.note}>{failedRuns.length - MAX_FAILURES} more failed blocks are in the list below.</p>
      )}
    </>
  )
}

function Cause({ run }: { run: FlowRunDetails }) {
  const { paths } = useDataflowsPlace()
  const by = run.caused_by
  if (!by) return run.because
  const to = by.flow_run_trellis_code
    ? paths.flowRun(by.dataflow_trellis_code, by.flow_run_trellis_code)
    : paths.runLog(by.dataflow_trellis_code, by.task_block_trellis_code, by.task_run_trellis_code)
  return <Link to={to}>{run.because}</Link>
}

function Numbers({ run, now }: { run: FlowRunDetails; now: number }) {
  const lasted = lastedMs(run, now)
  const { rows, count } = run.comparison
  const facts: [string, string, string | null][] = [
    ['Blocks', formatProgress(run), null],
    ['Duration', lasted === null ? '–' : formatDuration(lasted), formatUsualDuration(run.comparison, lasted)],
    ['Rows', wholeNumber(run.rows_written), rows === null ? null : formatUsualValue(wholeNumber(rows), count)],
    ['Rejected rows', wholeNumber(run.rows_rejected), null],
  ]
  return (
    <dl className={styles.numbers} aria-label="Summary">
      {facts.map(([word, value, note]) => (
        <div key={word}>
          <dt>{word}</dt>
          <dd>{value}</dd>
          {note !== null && <dd className={styles.note}>{note}</dd>}
        </div>
      ))}
    </dl>
  )
}

interface FlowRunActionsProps {
  run: FlowRunDetails
  box: RefObject<HTMLDivElement | null>
  onAct: () => void
}

function FlowRunActions({ run, box, onAct }: FlowRunActionsProps) {
  const { address, canWrite } = useDataflowsPlace()
  const [isAsked, setAsked] = useState(false)
  const retry = useRetryFlowRun()
  const cancel = useCancelFlowRun()
  const params = { ...address, flow_run_trellis_code: run.flow_run_trellis_code }
  const close = () => setAsked(false)
  const retryAll = () => {
    onAct()
    retry.mutate({ params })
  }
  const ask = () => {
    onAct()
    setAsked(true)
  }
  if (!canWrite) return null
  return (
    <div className={styles.actions} ref={box}>
      {run.can_retry && (
        <Button icon={<RotateCcw aria-hidden />} isBusy={retry.isPending} onClick={retryAll}>
          {run.state === 'failed' ? 'Retry failed blocks' : 'Retry'}
        </Button>
      )}
      {run.can_cancel && (
        <Button icon={<CircleStop aria-hidden />} onClick={ask}>
          Cancel
        </Button>
      )}
      {isAsked && (
        <StopRunDialog
          stopping={cancel}
          onConfirm={() => cancel.mutate({ params }, { onSuccess: close })}
          onClose={close}
        >
          Running blocks of this run stop within seconds, and blocks that wait for them do not start. Data already
          loaded stays.
        </StopRunDialog>
      )}
    </div>
  )
}
