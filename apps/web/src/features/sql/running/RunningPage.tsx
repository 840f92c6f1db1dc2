import type { RunningQuery } from '@trellis/contract/sql/running.schemas'
import { Activity, Square } from 'lucide-react'
import { useState } from 'react'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { type Column, DataTable } from '../../../ui/data/DataTable.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { useLocalTableState } from '../../../ui/data/use-table-state.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { StatusDot } from '../../../ui/feedback/Status.tsx'
import { RUNNING_STATES, formatBlockers, formatQuerySource, toOneLine, formatQueryOwner } from '../query-words.ts'
import { useRunningQueries } from '../sql.queries.ts'
import styles from '../sql.module.css'
import { useSqlScope } from '../use-sql-scope.ts'
import { QueryPanel } from './QueryPanel.tsx'
import { StopDialog } from './StopDialog.tsx'

const rowKey = ({ job_id, transaction_id, pid }: RunningQuery) => job_id ?? transaction_id ?? String(pid)

export function Component() {
  const { params, can } = useSqlScope()
  const queries = useRunningQueries(params)
  const isAdmin = can('sql:manage')
  const [open, setOpen] = useState<RunningQuery | null>(null)
  const [stopping, setStopping] = useState<RunningQuery | null>(null)
  return (
    <>
      <p className={styles.note}>
        {isAdmin
          ? 'Everything that runs in the database of this workspace, also from tools that connect to it. Refreshed every two seconds.'
          : 'Your queries that run or wait for their turn. Refreshed every two seconds.'}
      </p>
      <Loaded query={queries} subject="The list of running queries">
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState
              icon={<Activity aria-hidden />}
              title="No query is running"
              subtitle={
                isAdmin
                  ? 'Queries of worksheets and sessions of tools are listed here while they run.'
                  : 'Queries that you start in a worksheet are listed here while they run.'
              }
            />
          ) : (
            <List items={items} onOpen={setOpen} onStop={setStopping} />
          )
        }
      </Loaded>
      {open && (
        <QueryPanel
          query={queries.data?.items.find((query) => rowKey(query) === rowKey(open)) ?? open}
          onStop={() => setStopping(open)}
          onClose={() => setOpen(null)}
        />
      )}
      {stopping && (
        <StopDialog
          query={stopping}
          onClose={() => {
            setStopping(null)
            setOpen(null)
          }}
        />
      )}
    </>
  )
}

interface ListProps {
  items: readonly RunningQuery[]
  onOpen: (query: RunningQuery) => void
  onStop: (query: RunningQuery) => void
}

function List({ items, onOpen, onStop }: ListProps) {
  const state = useLocalTableState()
  const columns: Column<RunningQuery>[] = [
    {
      key: 'who',
      title: 'Who',
      width: 180,
      sortBy: (row) => formatQueryOwner(row),
      cell: (row) => (
        <>
          <span className={styles.person}>{formatQueryOwner(row)}</span>
          <span className={styles.soft}>{formatQuerySource(row)}</span>
        </>
      ),
    },
    {
      key: 'query',
      title: 'Query',
      cell: (row) => <code className={styles.query}>{toOneLine(row.query)}</code>,
    },
    {
      key: 'state',
      title: 'State',
      width: 170,
      isSecondary: true,
      sortBy: (row) => row.state,
      cell: (row) => (
        <>
          <StatusDot tone={RUNNING_STATES[row.state].tone} isBusy={row.state === 'running'}>
            {RUNNING_STATES[row.state].text}
          </StatusDot>
          {row.blocked_by.length > 0 && <span className={styles.soft}>{formatBlockers(row)}</span>}
        </>
      ),
    },
    {
      key: 'since',
      title: 'Since',
      width: 110,
      isSecondary: true,
      sortBy: (row) => new Date(row.since),
      cell: (row) => <DateTime value={row.since} format="recent" />,
    },
    {
      key: 'actions',
      title: '',
      width: 116,
      cell: (row) => (
        <Button
          size="sm"
          icon={<Square aria-hidden />}
          aria-label={`Stop the query of ${formatQueryOwner(row)}`}
          onClick={(event) => {
            event.stopPropagation()
            onStop(row)
          }}
        >
          Stop
        </Button>
      ),
    },
  ]
  return (
    <DataTable
      label="Running queries"
      rows={items}
      columns={columns}
      rowKey={rowKey}
      state={state}
      searchText={(row) => `${formatQueryOwner(row)} ${row.login ?? ''} ${row.query}`}
      onOpen={onOpen}
    />
  )
}
