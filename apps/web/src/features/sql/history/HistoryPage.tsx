import type { JobStatus } from '@trellis/contract/sql/sql.schemas'
import { History } from 'lucide-react'
import { useState } from 'react'
import { formatDuration } from '../../../ui/data/durations.ts'
import { CompactSelect } from '../../../ui/forms/CompactSelect.tsx'
import { FilterRow } from '../../../ui/layout/FilterRow.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { wholeNumber } from '../../../ui/data/amounts.ts'
import { type Column, DataTable } from '../../../ui/data/DataTable.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { useAddress } from '../../../ui/data/use-address.ts'
import { useLocalTableState } from '../../../ui/data/use-table-state.ts'
import { useUrlText } from '../../../ui/data/use-url-text.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { StatusDot } from '../../../ui/feedback/Status.tsx'
import { SearchField } from '../../../ui/forms/SearchField.tsx'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { JOB_STATES, toOneLine } from '../query-words.ts'
import { type HistoryFilter, type HistoryLine, useQueryHistory } from '../sql.queries.ts'
import styles from '../sql.module.css'
import { useSqlScope } from '../use-sql-scope.ts'
import { HistoryPanel } from './HistoryPanel.tsx'

const isStatus = (text: string | null): text is JobStatus => text !== null && text in JOB_STATES

export function Component() {
  const { params, can } = useSqlScope()
  const { params: address, put } = useAddress()
  const [search, setSearch] = useUrlText('q')
  const [open, setOpen] = useState<HistoryLine | null>(null)
  const status = address.get('status')
  const of: HistoryFilter['of'] = can('sql:manage') && address.get('of') === 'workspace' ? 'workspace' : 'me'
  const history = useQueryHistory(params, { of, search, status: isStatus(status) ? status : '' })
  const isFiltered = search !== '' || isStatus(status)
  return (
    <>
      <FilterRow>
        <SearchField label="Search queries" value={search} onChange={(event) => setSearch(event.target.value)} />
        <CompactSelect
          label="Status"
          value={isStatus(status) ? status : ''}
          onChange={(value) => put({ status: value || null })}
          options={[
            { value: '', label: 'All statuses' },
            ...Object.entries(JOB_STATES).map(([value, { text }]) => ({ value, label: text })),
          ]}
        />
        {can('sql:manage') && (
          <CompactSelect
            label="Whose queries"
            value={of}
            onChange={(value) => put({ of: value === 'workspace' ? 'workspace' : null })}
            options={[
              { value: 'me', label: 'My queries' },
              { value: 'workspace', label: 'Everybody’s queries' },
            ]}
          />
        )}
      </FilterRow>
      <Loaded query={history} subject="The query history">
        {(lines) =>
          lines.length === 0 ? (
            <EmptyState
              icon={<History aria-hidden />}
              title={isFiltered ? 'No query found' : 'No queries yet'}
              subtitle={
                isFiltered
                  ? 'No query matches these filters.'
                  : 'Queries that you run in a worksheet are listed here for 90 days.'
              }
              action={isFiltered && <Button onClick={() => put({ q: null, status: null })}>Clear filters</Button>}
            />
          ) : (
            <Lines lines={lines} isOfEverybody={of === 'workspace'} onOpen={setOpen} />
          )
        }
      </Loaded>
      {history.hasNextPage && (
        <div className={styles.more}>
          <Button isBusy={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
      {open && <HistoryPanel entry={open} onClose={() => setOpen(null)} />}
    </>
  )
}

interface LinesProps {
  lines: readonly HistoryLine[]
  isOfEverybody: boolean
  onOpen: (entry: HistoryLine) => void
}

function Lines({ lines, isOfEverybody, onOpen }: LinesProps) {
  const columns: Column<HistoryLine>[] = [
    { key: 'query', title: 'Query', cell: (entry) => <code className={styles.query}>{toOneLine(entry.sql)}</code> },
    {
      key: 'status',
      title: 'Status',
      width: 120,
      cell: ({ status }) => <StatusDot tone={JOB_STATES[status].tone}>{JOB_STATES[status].text}</StatusDot>,
    },
    {
      key: 'rows',
      title: 'Rows',
      width: 90,
      isNumber: true,
      isSecondary: true,
      cell: ({ rows }) => wholeNumber(rows),
    },
    {
      key: 'duration',
      title: 'Duration',
      width: 100,
      isNumber: true,
      isSecondary: true,
      cell: ({ duration_ms }) => (duration_ms === null ? '' : formatDuration(duration_ms)),
    },
    ...(isOfEverybody
      ? [
          {
            key: 'person',
            title: 'Who',
            width: 150,
            isExtra: true,
            cell: ({ person, is_mine }: HistoryLine) => (is_mine ? 'You' : (person ?? 'A former member')),
          },
        ]
      : []),
    {
      key: 'when',
      title: 'When',
      width: 130,
      isSecondary: true,
      cell: ({ created_at }) => <DateTime value={created_at} format="recent" />,
    },
  ]
  return (
    <DataTable
      label="Query history"
      rows={lines}
      columns={columns}
      rowKey={(entry) => entry.job_id}
      state={useLocalTableState()}
      onOpen={onOpen}
    />
  )
}
