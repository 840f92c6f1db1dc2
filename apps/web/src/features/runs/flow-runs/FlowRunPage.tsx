import type { FlowRunDetails } from '@trellis/contract/runs/flow-runs.schemas'
import { ArrowLeft, CircleStop, RotateCcw } from 'lucide-react'
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { cacheBreadcrumbName } from '../../../app/shell/breadcrumb-names.ts'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { wholeNumber } from '../../../ui/data/amounts.ts'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { formatDuration } from '../../../ui/data/durations.ts'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Badge } from '../../../ui/feedback/Status.tsx'
import { Page } from '../../../ui/layout/Page.tsx'
import { DecisionSummary } from '../details/SchemaDecision.tsx'
import { RunProblem } from '../details/RunProblem.tsx'
import { StopRunDialog } from '../details/StopRunDialog.tsx'
import { useDataflowsScope, useEditorParams } from '../../dataflows/dataflows.queries.ts'
import logStyles from '../log/log.module.css'
import { getDurationMs, isWaitingForDecision } from '../run-words.ts'
import { useLiveRuns } from '../runs.queries.ts'
import { useNow } from '../use-now.ts'
import {
  listComparisonNotes,
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
  const { address, paths } = useDataflowsScope()
  const { dataflowCode, flowRunCode } = useEditorParams()
  const query = useFlowRun(address, flowRunCode)
  useLiveRuns(address, dataflowCode)
  const flowRun = query.data
  useEffect(() => {
    if (flowRun) cacheBreadcrumbName(dataflowCode, flowRun.dataflow_name)
  }, [dataflowCode, flowRun])
  if (flowRun) return <FlowRunView key={flowRunCode} flowRun={flowRun} />
  return (
    <Page>
      <Loaded
        query={query}
        subject="The run"
        skeletonHeights={[40, 120, 240]}
        notFoundLink={<ButtonLink to={paths.logs(dataflowCode)}>All runs of the dataflow</ButtonLink>}
      >
        {() => null}
      </Loaded>
    </Page>
  )
}

function FlowRunView({ flowRun }: { flowRun: FlowRunDetails }) {
  const { address, paths } = useDataflowsScope()
  const { dataflowCode } = useEditorParams()
  const isRunning = flowRun.state === 'running'
  const now = useNow(isRunning ? 1000 : null)
  const headingRef = useRef<HTMLHeadingElement>(null)
  const actionsRef = useRef<HTMLDivElement>(null)
  const wasActionTaken = useRef(false)
  const noteAction = () => {
    wasActionTaken.current = true
  }
  // The pressed button disappears: keep focus on the page.
  useEffect(() => {
    if (!wasActionTaken.current || document.activeElement !== document.body) return
    const next = actionsRef.current?.querySelector('button') ?? headingRef.current
    next?.focus()
  }, [flowRun.state, flowRun.can_retry, flowRun.can_cancel])
  return (
    <div className={logStyles.page}>
      <header className={logStyles.head}>
        <ButtonLink variant="ghost" to={paths.logs(dataflowCode)} icon={<ArrowLeft aria-hidden />}>
          Runs
        </ButtonLink>
        <h1 ref={headingRef} tabIndex={-1}>
          {flowRun.dataflow_name}
        </h1>
        <FlowRunState state={flowRun.state} />
        {flowRun.is_shadow && <Badge tone="info">Dry run</Badge>}
        {listComparisonNotes(flowRun).map((text) => (
          <Badge key={text} tone="warning">
            {text}
          </Badge>
        ))}
        <p>
          <DateTime value={flowRun.started_at ?? flowRun.created_at} /> · <Cause flowRun={flowRun} />
        </p>
        <FlowRunActions flowRun={flowRun} containerRef={actionsRef} onAction={noteAction} />
      </header>
      <div>
        <div className={logStyles.above}>
          <BlockRunProblems blockRuns={flowRun.runs.filter(isWaitingForDecision)} onDecide={noteAction} />
          <FailedBlockRuns flowRun={flowRun} />
          <PastDecisions blockRuns={flowRun.runs} />
        </div>
        <div className={styles.summary}>
          <RunSummary flowRun={flowRun} now={now} />
          <FlowRunTimeline
            flowRun={flowRun}
            now={now}
            logPath={(item) => paths.runLog(dataflowCode, item.task_block_trellis_code, item.task_run_trellis_code)}
          />
        </div>
      </div>
      <Suspense fallback={<Skeleton height={240} />}>
        <FlowRunLog address={address} flowRun={flowRun} />
      </Suspense>
    </div>
  )
}

function BlockRunProblems({ blockRuns, onDecide }: { blockRuns: FlowRunDetails['runs']; onDecide?: () => void }) {
  const { address, paths, canWrite } = useDataflowsScope()
  const { dataflowCode } = useEditorParams()
  return blockRuns.map((blockRun) => (
    <RunProblem
      key={blockRun.task_run_trellis_code}
      run={blockRun}
      namesBlock
      address={address}
      canWrite={canWrite}
      setupPath={paths.setup(dataflowCode, blockRun.task_block_trellis_code)}
      onDecide={onDecide}
    />
  ))
}

/** Whoever follows an old link sees what became of the question. */
const PastDecisions = ({ blockRuns }: { blockRuns: FlowRunDetails['runs'] }) =>
  blockRuns.map(({ task_run_trellis_code: code, block_name: name, problem }) => {
    const { decision, changes } = problem?.question ?? {}
    if (!decision) return null
    return (
      <p key={code} className={styles.note}>
        {name}: {changes?.map((change) => change.in_words).join(' ')} <DecisionSummary decision={decision} />
      </p>
    )
  })

const MAX_FAILURES = 3

function FailedBlockRuns({ flowRun }: { flowRun: FlowRunDetails }) {
  const failedRuns = findFailedRuns(flowRun.runs)
  return (
    <>
      <BlockRunProblems blockRuns={failedRuns.slice(0, MAX_FAILURES)} />
      {failedRuns.length > MAX_FAILURES && (
        <p className={styles.note}>{failedRuns.length - MAX_FAILURES} more failed blocks are in the list below.</p>
      )}
    </>
  )
}

function Cause({ flowRun }: { flowRun: FlowRunDetails }) {
  const { paths } = useDataflowsScope()
  const causingRun = flowRun.caused_by
  if (!causingRun) return flowRun.because
  const to = causingRun.flow_run_trellis_code
    ? paths.flowRun(causingRun.dataflow_trellis_code, causingRun.flow_run_trellis_code)
    : paths.runLog(
        causingRun.dataflow_trellis_code,
        causingRun.task_block_trellis_code,
        causingRun.task_run_trellis_code,
      )
  return <Link to={to}>{flowRun.because}</Link>
}

function RunSummary({ flowRun, now }: { flowRun: FlowRunDetails; now: number }) {
  const durationMs = getDurationMs(flowRun, now)
  const { rows, count } = flowRun.comparison
  const figures: [string, string, string | null][] = [
    ['Blocks', formatProgress(flowRun), null],
    [
      'Duration',
      durationMs === null ? '–' : formatDuration(durationMs),
      formatUsualDuration(flowRun.comparison, durationMs),
    ],
    ['Rows', wholeNumber(flowRun.rows_written), rows === null ? null : formatUsualValue(wholeNumber(rows), count)],
    ['Rejected rows', wholeNumber(flowRun.rows_rejected), null],
  ]
  return (
    <dl className={styles.numbers} aria-label="Summary">
      {figures.map(([word, value, note]) => (
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
  flowRun: FlowRunDetails
  containerRef: RefObject<HTMLDivElement | null>
  onAction: () => void
}

function FlowRunActions({ flowRun, containerRef, onAction }: FlowRunActionsProps) {
  const { address, canWrite } = useDataflowsScope()
  const [isCancelDialogOpen, setCancelDialogOpen] = useState(false)
  const retry = useRetryFlowRun()
  const cancel = useCancelFlowRun()
  const params = { ...address, flow_run_trellis_code: flowRun.flow_run_trellis_code }
  const closeCancelDialog = () => setCancelDialogOpen(false)
  const retryRun = () => {
    onAction()
    retry.mutate({ params })
  }
  const openCancelDialog = () => {
    onAction()
    setCancelDialogOpen(true)
  }
  if (!canWrite) return null
  return (
    <div className={styles.actions} ref={containerRef}>
      {flowRun.can_retry && (
        <Button icon={<RotateCcw aria-hidden />} isBusy={retry.isPending} onClick={retryRun}>
          {flowRun.state === 'failed' ? 'Retry failed blocks' : 'Retry'}
        </Button>
      )}
      {flowRun.can_cancel && (
        <Button icon={<CircleStop aria-hidden />} onClick={openCancelDialog}>
          Cancel
        </Button>
      )}
      {isCancelDialogOpen && (
        <StopRunDialog
          stopMutation={cancel}
          onConfirm={() => cancel.mutate({ params }, { onSuccess: closeCancelDialog })}
          onClose={closeCancelDialog}
        >
          Running blocks of this run stop within seconds, and blocks that wait for them do not start. Data already
          loaded stays.
        </StopRunDialog>
      )}
    </div>
  )
}
