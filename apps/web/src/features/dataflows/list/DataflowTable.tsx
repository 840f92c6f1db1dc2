import type { DataflowSummary, FolderStructure } from '@trellis/contract/dataflows/dataflows.schemas'
import { Pause } from 'lucide-react'
import { useMemo } from 'react'
import { Link, useNavigate } from 'react-router'
import { DataTable, type Column } from '../../../ui/data/DataTable.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { formatDuration } from '../../../ui/data/durations.ts'
import { useAddress } from '../../../ui/data/use-address.ts'
import { useUrlTableState } from '../../../ui/data/use-table-state.ts'
import { Badge, StatusDot } from '../../../ui/feedback/Status.tsx'
import { Tooltip } from '../../../ui/overlays/Tooltip.tsx'
import { useDataflowsScope } from '../dataflows.queries.ts'
import { formatDueTime } from '../due-text.ts'
import { getFlowStatusLabel } from '../status-labels.ts'
import { DataflowMenu } from './DataflowMenu.tsx'
import { startDrag } from './drag-data.ts'
import { listDataflowsIn, formatFolderPath } from './folder-tree.ts'
import { FILTERS, isShown, type Filter } from './list-filter.ts'
import styles from './list.module.css'
import { RecentBars } from './RecentBars.tsx'

const toDate = (value: string | null | undefined) => (value ? new Date(value) : null)

const getDuration = (run: DataflowSummary['last_run']): number | null =>
  run?.started_at && run.finished_at ? Date.parse(run.finished_at) - Date.parse(run.started_at) : null

export function DataflowTable({ structure, folder }: { structure: FolderStructure; folder: string | null }) {
  const { paths, canWrite } = useDataflowsScope()
  const state = useUrlTableState()
  const navigate = useNavigate()
  const { params, put } = useAddress()
  const filter = (params.get('show') ?? 'all') as Filter
  const rows = useMemo(
    () => listDataflowsIn(structure, folder).filter((item) => isShown(item, filter)),
    [structure, folder, filter],
  )
  const columns = useMemo<Column<DataflowSummary>[]>(
    () => [
      {
        key: 'name',
        title: 'Name',
        sortBy: (row) => row.name,
        cell: (row) => (
          <NameCell
            one={row}
            to={paths.editor(row.trellis_code)}
            canDrag={canWrite}
            trail={formatFolderPath(structure.folders, row.folder_trellis_code)}
          />
        ),
      },
      {
        key: 'status',
        title: 'Status',
        width: 148,
        sortBy: (row) => getFlowStatusLabel(row).text,
        cell: (row) => <Status one={row} />,
      },
      {
        key: 'last',
        title: 'Last run',
        width: 132,
        isSecondary: true,
        sortBy: (row) => toDate(row.last_run?.at),
        cell: ({ last_run: run, trellis_code: code }) =>
          run ? (
            <Link
              to={paths.flowRun(code, run.flow_run_trellis_code)}
              className={styles.link}
              onClick={(event) => event.stopPropagation()}
            >
              <DateTime value={run.at} format="recent" />
            </Link>
          ) : (
            <span className={styles.soft}>Never</span>
          ),
      },
      {
        key: 'took',
        title: 'Duration',
        width: 84,
        isNumber: true,
        isSecondary: true,
        sortBy: ({ last_run }) => getDuration(last_run),
        cell: ({ last_run }) => {
          const took = getDuration(last_run)
          return took === null ? <span className={styles.soft}>–</span> : formatDuration(took)
        },
      },
      {
        key: 'next',
        title: 'Next run',
        width: 132,
        isSecondary: true,
        sortBy: (row) => toDate(row.next_due_at),
        cell: ({ next_due_at, is_paused }) => <Next dueAt={next_due_at} isPaused={is_paused} />,
      },
      {
        key: 'recent',
        title: 'Recent days',
        width: 108,
        isSecondary: true,
        cell: ({ recent }) => <RecentBars recent={recent} />,
      },
      { key: 'menu', title: '', width: 44, cell: (row) => <DataflowMenu dataflow={row} /> },
    ],
    [structure.folders, canWrite, paths],
  )
  const choose = (value: string) => put({ show: value === 'all' ? null : value })
  return (
    <DataTable
      label="Dataflows"
      rows={rows}
      columns={columns}
      rowKey={(row) => row.trellis_code}
      searchText={(row) => `${row.name} ${formatFolderPath(structure.folders, row.folder_trellis_code)}`}
      state={state}
      onOpen={(row) => void navigate(paths.editor(row.trellis_code))}
      toolbar={
        <select
          aria-label="Show"
          className={styles.filter}
          value={filter}
          onChange={(event) => choose(event.target.value)}
        >
          {Object.entries(FILTERS).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      }
    />
  )
}

interface NamedProps {
  one: DataflowSummary
  to: string
  canDrag: boolean
  trail: string
}

function NameCell({ one, to, canDrag, trail }: NamedProps) {
  const blocks = one.block_count === 1 ? '1 block' : `${one.block_count} blocks`
  return (
    <span
      className={styles.named}
      draggable={canDrag}
      onDragStart={(event) => startDrag(event, 'dataflow', one.trellis_code)}
    >
      <span className={styles.nameLine}>
        {/* A link for opening in a new tab; the row handles click and Enter. */}
        <Link
          to={to}
          tabIndex={-1}
          draggable={false}
          className={styles.link}
          onClick={(event) => event.stopPropagation()}
        >
          <strong>{one.name}</strong>
        </Link>
        {one.is_paused && (
          <Badge tone="warning">
            <Pause aria-hidden className={styles.pause} />
            Paused
          </Badge>
        )}
        {one.has_unpublished && <Badge tone="accent">Changes to publish</Badge>}
      </span>
      <span className={styles.soft}>{trail ? `${trail} · ${blocks}` : blocks}</span>
    </span>
  )
}

function Status({ one }: { one: DataflowSummary }) {
  const { text, tone, isBusy } = getFlowStatusLabel(one)
  return (
    <StatusDot tone={tone} isBusy={isBusy ?? false}>
      {text}
    </StatusDot>
  )
}

function Next({ dueAt, isPaused }: { dueAt: string | null; isPaused: boolean }) {
  if (isPaused) return <span className={styles.soft}>Paused</span>
  if (!dueAt) return <span className={styles.soft}>Not scheduled</span>
  const moment = new Date(dueAt)
  return (
    <Tooltip text={new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' }).format(moment)}>
      <time dateTime={dueAt}>{formatDueTime(moment, new Date())}</time>
    </Tooltip>
  )
}
