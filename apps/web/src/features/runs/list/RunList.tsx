import type { TaskRun } from '@trellis/contract/runs/runs.schemas'
import { CirclePlay } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { shortCount, wholeNumber } from '../../../ui/data/amounts.ts'
import { DataTable, type Column } from '../../../ui/data/DataTable.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { RunStatus } from '../RunStatus.tsx'
import { isOpenRun } from '../run-words.ts'
import parts from '../../../running/running.module.css'
import styles from '../runs.module.css'
import { useNow } from '../use-now.ts'
import { buildTimeColumns, ShortTime } from './run-columns.tsx'

const UNSORTED = { query: '', sort: null, setQuery: () => undefined, setSort: () => undefined }

const createColumns = (now: number, hasBlock: boolean): Column<TaskRun>[] => [
  { key: 'status', title: 'Status', width: 132, cell: (run) => <RunStatus run={run} /> },
  ...(hasBlock
    ? [
        {
          key: 'block',
          title: 'Block',
          cell: (run: TaskRun) => (
            <>
              <span title={run.block_name}>{run.block_name}</span>
              <ShortTime run={run} since={run.due_at} now={now} />
            </>
          ),
        },
      ]
    : []),
  {
    key: 'because',
    title: 'Triggered by',
    isExtra: hasBlock,
    isSecondary: true,
    cell: (run) => (
      <span className={parts.quiet} title={run.because}>
        {run.because}
      </span>
    ),
  },
  ...buildTimeColumns<TaskRun>(now, 124).map((column) => (hasBlock ? { ...column, isSecondary: true } : column)),
  {
    key: 'rows',
    title: 'Rows',
    width: 92,
    isNumber: true,
    isSecondary: true,
    cell: ({ counters }) => (
      <span title={`${wholeNumber(counters.rows_written)} written, ${wholeNumber(counters.rows_updated)} updated`}>
        {shortCount(counters.rows_written + counters.rows_updated)}
      </span>
    ),
  },
  {
    key: 'rejected',
    title: 'Rejected rows',
    width: 124,
    isNumber: true,
    isSecondary: true,
    isExtra: true,
    cell: ({ counters }) =>
      counters.rows_rejected > 0 ? <span className={parts.warn}>{shortCount(counters.rows_rejected)}</span> : '–',
  },
]

interface RunListProps {
  page: { runs: readonly TaskRun[]; has_more: boolean }
  number: number
  hasBlock: boolean
  isFiltered: boolean
  onOpen: (run: TaskRun) => void
  onPage: (number: number) => void
  onClear: () => void
  firstStep?: ReactNode
}

export function RunList({ page, number, hasBlock, isFiltered, onOpen, onPage, onClear, firstStep }: RunListProps) {
  const now = useNow(page.runs.some(isOpenRun) ? 1000 : null)
  if (page.runs.length === 0 && number === 1) {
    return isFiltered ? (
      <EmptyState
        icon={<CirclePlay aria-hidden />}
        title="No run fits the filter"
        subtitle="Choose another status or a longer time."
        action={<Button onClick={onClear}>Clear the filter</Button>}
      />
    ) : (
      <EmptyState
        icon={<CirclePlay aria-hidden />}
        title="Nothing has run yet"
        subtitle="A run appears here as soon as a schedule is due, another block succeeds, or somebody runs a block by hand."
        action={firstStep}
      />
    )
  }
  return (
    <>
      <DataTable
        label="Runs"
        rows={page.runs}
        columns={createColumns(now, hasBlock)}
        rowKey={(run) => run.task_run_trellis_code}
        state={UNSORTED}
        onOpen={onOpen}
      />
      {(number > 1 || page.has_more) && (
        <nav className={styles.pager} aria-label="Pages">
          <Button disabled={number === 1} onClick={() => onPage(number - 1)}>
            Newer
          </Button>
          <span>Page {number}</span>
          <Button disabled={!page.has_more} onClick={() => onPage(number + 1)}>
            Older
          </Button>
        </nav>
      )}
    </>
  )
}
