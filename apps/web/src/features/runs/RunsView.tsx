import { lazy, Suspense, useEffect, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { Loaded } from '../../app/loading/Loaded.tsx'
import { StatusDot } from '../../ui/feedback/Status.tsx'
import { Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { useDataflowsScope } from '../dataflows/dataflows.queries.ts'
import { FlowRunFilters } from './flow-runs/FlowRunFilters.tsx'
import { useFlowRunFilter } from './flow-runs/use-flow-run-filter.ts'
import { FlowRunList } from './flow-runs/FlowRunList.tsx'
import { useRunFilter } from './list/run-filter.ts'
import { RunFilters, type NamedBlock } from './list/RunFilters.tsx'
import { RunList } from './list/RunList.tsx'
import { useLiveRuns, useRuns } from './runs.queries.ts'
import parts from '../../running/running.module.css'
import styles from './runs.module.css'

const LiveCanvas = lazy(() => import('./live/LiveCanvas.tsx'))
const FlowGanttView = lazy(() => import('./gantt/FlowGanttView.tsx'))
const GanttView = lazy(() => import('./gantt/GanttView.tsx'))
const panel = () => import('./details/RunPanel.tsx')
const RunPanel = lazy(panel)

interface RunsViewProps {
  dataflow: string
  blocks: readonly NamedBlock[]
  /** The page of a single block. */
  only?: string
  tools?: ReactNode
  firstStep?: ReactNode
}

const FLOW_VIEWS = [
  { value: 'flows', label: 'Runs' },
  { value: 'canvas', label: 'Canvas' },
  { value: 'time', label: 'Timeline' },
  { value: 'list', label: 'Block runs' },
]
const BLOCK_VIEWS = [
  { value: 'time', label: 'Timeline' },
  { value: 'list', label: 'List' },
]

/** Filters are kept in the URL. */
export function RunsView({ dataflow, blocks, only, tools, firstStep }: RunsViewProps) {
  const { address, paths, canWrite } = useDataflowsScope()
  const [params] = useSearchParams()
  const filter = useRunFilter()
  const flowFilter = useFlowRunFilter()
  const following = useLiveRuns(address, dataflow)
  const views = only === undefined ? FLOW_VIEWS : BLOCK_VIEWS
  const usual = only === undefined ? 'flows' : 'list'
  const view = views.find(({ value }) => value === params.get('view'))?.value ?? usual
  const runsQuery = { ...filter.wanted, ...(only && { task_block_trellis_code: only }) }
  const open = (run: string | null) => filter.change({ run })
  const openRunCode = params.get('run')
  // Prefetched, so that a run opens without delay.
  useEffect(() => void panel(), [])
  return (
    <div className={styles.view}>
      <div className={parts.bar}>
        <div className={styles.switch} role="group" aria-label="View">
          {views.map(({ value, label }) => (
            <button
              key={value}
              type="button"
              aria-pressed={value === view}
              onClick={() => filter.change({ view: value === usual ? null : value })}
            >
              {label}
            </button>
          ))}
        </div>
        <div className={styles.barEnd}>
          <span className={styles.live} role="status">
            <LiveWord state={following.state} />
          </span>
          {tools}
        </div>
      </div>
      {view === 'flows' && <FlowRunList dataflow={dataflow} firstStep={firstStep} />}
      {view === 'time' && only === undefined && <FlowRunFilters />}
      {(view === 'list' || (view === 'time' && only !== undefined)) && (
        <RunFilters filter={filter} withDays={view === 'list'} {...(only === undefined && { blocks })} />
      )}
      {view === 'canvas' && (
        <Suspense fallback={<Skeleton height={420} />}>
          <LiveCanvas dataflow={dataflow} onOpen={open} firstStep={firstStep} />
        </Suspense>
      )}
      {view === 'time' && (
        <Suspense fallback={<Skeleton height={320} />}>
          {only === undefined ? (
            <FlowGanttView
              dataflow={dataflow}
              blocks={blocks}
              runsQuery={flowFilter.wanted}
              onOpen={open}
              firstStep={firstStep}
            />
          ) : (
            <GanttView
              address={address}
              dataflow={dataflow}
              blocks={blocks}
              runsQuery={toChartFilter(runsQuery)}
              onOpen={open}
              firstStep={firstStep}
            />
          )}
        </Suspense>
      )}
      {view === 'list' && (
        <ListOfRuns
          dataflow={dataflow}
          runsQuery={runsQuery}
          filter={filter}
          hasBlock={only === undefined}
          onOpen={open}
          firstStep={firstStep}
        />
      )}
      <Suspense fallback={null}>
        {openRunCode && (
          <RunPanel
            address={address}
            run={openRunCode}
            canWrite={canWrite}
            flowPath={(run) =>
              run.flow_run_trellis_code && paths.flowRun(run.dataflow_trellis_code, run.flow_run_trellis_code)
            }
            logPath={(run) => paths.runLog(dataflow, run.task_block_trellis_code, run.task_run_trellis_code)}
            setupPath={(run) => paths.setup(dataflow, run.task_block_trellis_code)}
            onRun={open}
            onClose={() => open(null)}
          />
        )}
      </Suspense>
    </div>
  )
}

type Filter = ReturnType<typeof useRunFilter>

/** The timeline has its own date range. */
function toChartFilter({ page: _page, from: _from, to: _to, ...rest }: Filter['wanted']): Filter['wanted'] {
  return rest
}

interface ListOfRunsProps {
  dataflow: string
  runsQuery: Filter['wanted']
  filter: Filter
  hasBlock: boolean
  onOpen: (run: string) => void
  firstStep: ReactNode
}

function ListOfRuns({ dataflow, runsQuery, filter, hasBlock, onOpen, firstStep }: ListOfRunsProps) {
  const { address } = useDataflowsScope()
  const query = useRuns(address, dataflow, runsQuery)
  return (
    <Loaded query={query} subject="The runs" skeletonHeights={[34, 40, 40, 40, 40, 40]}>
      {(page) => (
        <RunList
          page={page}
          number={runsQuery.page ?? 1}
          hasBlock={hasBlock}
          isFiltered={filter.isFiltered}
          onOpen={(run) => onOpen(run.task_run_trellis_code)}
          onPage={filter.setPage}
          onClear={filter.clear}
          firstStep={firstStep}
        />
      )}
    </Loaded>
  )
}

function LiveWord({ state }: { state: string }) {
  if (state === 'live') return <StatusDot tone="success">Live</StatusDot>
  if (state === 'refused') return <StatusDot tone="danger">Not live</StatusDot>
  return <StatusDot tone="neutral">{state === 'waiting' ? 'Reconnecting' : 'Connecting'}</StatusDot>
}
