import { ArrowLeft } from 'lucide-react'
import { lazy, Suspense, useEffect } from 'react'
import { Link, useNavigate } from 'react-router'
import { formatDuration } from '../../ui/data/durations.ts'
import { Loaded } from '../../app/loading/Loaded.tsx'
import { cacheBreadcrumbName } from '../../app/shell/breadcrumb-names.ts'
import { ButtonLink } from '../../ui/actions/Button.tsx'
import { DateTime } from '../../ui/data/DateTime.tsx'
import { Loading, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { Page } from '../../ui/layout/Page.tsx'
import { useDataflowsScope, useEditorParams } from '../dataflows/dataflows.queries.ts'
import { RunActions } from './details/RunActions.tsx'
import { RunProblem } from './details/RunProblem.tsx'
import { RunUndoState } from './details/RunUndoState.tsx'
import styles from './log/log.module.css'
import { RunStatus } from './RunStatus.tsx'
import { isOpenRun, getDurationMs } from './run-words.ts'
import { useBlocks, useLiveRuns, useRun } from './runs.queries.ts'
import { useNow } from './use-now.ts'

/** Prefetched beside the data. */
const pane = import('./log/LogPane.tsx')
const LogPane = lazy(() => pane)

export function Component() {
  const { address, paths, canWrite } = useDataflowsScope()
  const { dataflowCode, taskBlockCode, logCode } = useEditorParams()
  const query = useRun(address, logCode)
  const navigate = useNavigate()
  const run = query.data
  useLiveRuns(address, dataflowCode)
  const now = useNow(run && isOpenRun(run) ? 1000 : null)
  const flow = useBlocks(address, dataflowCode).data?.name
  useEffect(() => {
    if (run) cacheBreadcrumbName(taskBlockCode, run.block_name)
    if (flow !== undefined) cacheBreadcrumbName(dataflowCode, flow)
  }, [taskBlockCode, run, dataflowCode, flow])
  const back = paths.blockLogs(dataflowCode, taskBlockCode)
  if (query.isPending) return <PageGhost />
  if (!run)
    return (
      <Page>
        <Loaded query={query} subject="The run" notFoundLink={<ButtonLink to={back}>All runs of the block</ButtonLink>}>
          {() => null}
        </Loaded>
      </Page>
    )
  const lasted = getDurationMs(run, now)
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <ButtonLink variant="ghost" to={back} icon={<ArrowLeft aria-hidden />}>
          Runs
        </ButtonLink>
        <h1>{run.block_name}</h1>
        <RunStatus run={run} />
        <p>
          <DateTime value={run.started_at ?? run.due_at} />
          {lasted !== null && ` · ${formatDuration(lasted)}`} · {run.because}{' '}
          {run.flow_run_trellis_code && (
            <Link to={paths.flowRun(dataflowCode, run.flow_run_trellis_code)}>Whole run</Link>
          )}
        </p>
        <RunActions
          run={run}
          address={address}
          canWrite={canWrite}
          onRun={(next) => void navigate(paths.runLog(dataflowCode, taskBlockCode, next))}
        />
      </header>
      <div className={styles.above}>
        <RunProblem
          run={run}
          address={address}
          canWrite={canWrite}
          setupPath={paths.setup(dataflowCode, taskBlockCode)}
          onRun={(next) => void navigate(paths.runLog(dataflowCode, taskBlockCode, next))}
        />
        <RunUndoState run={run} address={address} canWrite={canWrite} />
      </div>
      <Suspense
        fallback={
          <Loading label="Loading the log" className={styles.ghost}>
            <LinesGhost />
          </Loading>
        }
      >
        <LogPane key={logCode} address={address} run={logCode} isOpen={isOpenRun(run)} />
      </Suspense>
    </div>
  )
}

function PageGhost() {
  return (
    <Loading label="Loading. The run" className={styles.page}>
      <div className={styles.head}>
        <Skeleton width={74} height={32} />
        <Skeleton width={160} height={22} />
        <Skeleton width={240} height={20} />
      </div>
      <div />
      <div className={styles.ghost}>
        <LinesGhost />
      </div>
    </Loading>
  )
}

const LinesGhost = () => (
  <>
    <Skeleton height={32} />
    <Skeleton height={320} />
  </>
)
