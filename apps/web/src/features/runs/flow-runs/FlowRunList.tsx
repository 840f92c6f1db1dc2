import type { FlowRun } from '@trellis/contract/runs/flow-runs.schemas'
import { CirclePlay } from 'lucide-react'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { shortCount, wholeNumber } from '../../../ui/data/amounts.ts'
import { DataTable, type Column } from '../../../ui/data/DataTable.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Badge } from '../../../ui/feedback/Status.tsx'
import { useDataflowsScope } from '../../dataflows/dataflows.queries.ts'
import parts from '../../../running/running.module.css'
import { buildTimeColumns, ShortTime } from '../list/run-columns.tsx'
import runs from '../runs.module.css'
import styles from './flow-runs.module.css'
import { useNow } from '../use-now.ts'
import { formatProgress } from './flow-run-words.ts'
import { useFlowRuns } from './flow-runs.queries.ts'
import { FlowRunBlocks } from './FlowRunBlocks.tsx'
import { FlowRunFilters } from './FlowRunFilters.tsx'
import { useFlowRunFilter } from './use-flow-run-filter.ts'
import { BlockDots, FlowRunState } from './FlowRunState.tsx'

const UNSORTED = { query: '', sort: null, setQuery: () => undefined, setSort: () => undefined }

const createColumns = (now: number): Column<FlowRun>[] => [
  {
    key: 'state',
    title: 'Status',
    width: 148,
    cell: (run) => (
      <div className={styles.state}>
        <span>
          <FlowRunState state={run.state} /> {run.is_shadow && <Badge tone="info">Dry run</Badge>}
        </span>
        <ShortTime run={run} since={run.created_at} now={now} />
      </div>
    ),
  },
  {
    key: 'because',
    title: 'Triggered by',
    isSecondary: true,
    cell: (run) => (
      <span className={parts.quiet} title={run.because}>
        {run.because}
      </span>
    ),
  },
  {
    key: 'blocks',
    title: 'Blocks',
    width: 156,
    cell: (run) => (
      <div className={styles.progress}>
        <BlockDots blocks={run.blocks} />
        <span className={parts.quiet}>{formatProgress(run)}</span>
      </div>
    ),
  },
  ...buildTimeColumns<FlowRun>(now, 112).map((column) => ({ ...column, isSecondary: true })),
  {
    key: 'rows',
    title: 'Rows',
    width: 84,
    isNumber: true,
    isSecondary: true,
    cell: (run) => (
      <span title={`${wholeNumber(run.rows_written)} written or updated`}>{shortCount(run.rows_written)}</span>
    ),
  },
]

export function FlowRunList({ dataflow, firstStep }: { dataflow: string; firstStep: ReactNode }) {
  const { address, paths } = useDataflowsScope()
  const navigate = useNavigate()
  const { wanted, isFiltered, clear } = useFlowRunFilter()
  const query = useFlowRuns(address, dataflow, wanted)
  const now = useNow(query.data?.some((run) => run.state === 'running') ? 1000 : null)
  return (
    <>
      <FlowRunFilters />
      <Loaded query={query} subject="The runs" skeletonHeights={[34, 40, 40, 40, 40, 40]}>
        {(list) =>
          list.length === 0 ? (
            <NoFlowRuns isFiltered={isFiltered} onClear={clear} firstStep={firstStep} />
          ) : (
            <DataTable
              label="Flow runs"
              rows={list}
              columns={createColumns(now)}
              rowKey={(run) => run.flow_run_trellis_code}
              state={UNSORTED}
              unfold={{
                label: () => 'Show the blocks',
                content: (run) => <FlowRunBlocks run={run} />,
              }}
              onOpen={(run) => void navigate(paths.flowRun(dataflow, run.flow_run_trellis_code))}
            />
          )
        }
      </Loaded>
      {query.hasNextPage && (
        <nav className={runs.pager} aria-label="Pages">
          <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show older runs
          </Button>
        </nav>
      )}
    </>
  )
}

interface NoFlowRunsProps {
  isFiltered: boolean
  onClear: () => void
  firstStep: ReactNode
}

function NoFlowRuns({ isFiltered, onClear, firstStep }: NoFlowRunsProps) {
  if (isFiltered) {
    return (
      <EmptyState
        icon={<CirclePlay aria-hidden />}
        title="No run fits the filter"
        subtitle="Choose another status or cause."
        action={<Button onClick={onClear}>Clear the filter</Button>}
      />
    )
  }
  return (
    <EmptyState
      icon={<CirclePlay aria-hidden />}
      title="Nothing has run yet"
      subtitle="A run appears here as soon as a schedule is due, another dataflow sets this one off, or somebody runs it by hand."
      action={firstStep}
    />
  )
}
