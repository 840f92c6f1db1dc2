import type { AuditLine } from '@trellis/contract/audit/audit.endpoints'
import { ScrollText } from 'lucide-react'
import { useState } from 'react'
import { CompactSelect } from '../../ui/forms/CompactSelect.tsx'
import { FilterRow } from '../../ui/layout/FilterRow.tsx'
import { Button } from '../../ui/actions/Button.tsx'
import { DataTable, type Column } from '../../ui/data/DataTable.tsx'
import { DateTime } from '../../ui/data/DateTime.tsx'
import { useAddress } from '../../ui/data/use-address.ts'
import { useLocalTableState } from '../../ui/data/use-table-state.ts'
import { useUrlText } from '../../ui/data/use-url-text.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorPanel } from '../../ui/feedback/ErrorPanel.tsx'
import { Loading, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { StatusDot } from '../../ui/feedback/Status.tsx'
import { SearchField } from '../../ui/forms/SearchField.tsx'
import { actionOptions, formatAction, formatDetail, parseOutcome, OUTCOMES, formatActor } from './audit-texts.ts'
import { AuditDetails } from './AuditDetails.tsx'
import styles from './audit.module.css'
import { useAudit } from './audit.queries.ts'

const COLUMNS: Column<AuditLine>[] = [
  { key: 'action', title: 'What', cell: (entry) => <Action entry={entry} /> },
  { key: 'who', title: 'Who', isSecondary: true, cell: (entry) => formatActor(entry) },
  { key: 'ip', title: 'From', width: 150, isSecondary: true, cell: (entry) => <code>{entry.ip ?? ''}</code> },
  { key: 'at', title: 'When', width: 164, cell: (entry) => <DateTime value={entry.at} /> },
  {
    key: 'outcome',
    title: 'Outcome',
    width: 116,
    isSecondary: true,
    cell: (entry) => <StatusDot tone={OUTCOMES[entry.outcome].tone}>{OUTCOMES[entry.outcome].text}</StatusDot>,
  },
]

function Action({ entry }: { entry: AuditLine }) {
  const detail = formatDetail(entry)
  return (
    <>
      {formatAction(entry.action)}
      {detail && <span className={styles.detail}>{detail}</span>}
    </>
  )
}

export function AuditTab({ accountCode }: { accountCode: string }) {
  const { params, change, put } = useAddress()
  const [search, setSearch] = useUrlText('q')
  const [open, setOpen] = useState<AuditLine | null>(null)
  const state = useLocalTableState()
  const filter = {
    action: params.get('action') ?? '',
    outcome: parseOutcome(params.get('outcome')),
    search,
  }
  const isFiltered = Object.values(filter).some(Boolean)
  const trail = useAudit(accountCode, filter)
  return (
    <>
      <FilterRow>
        <SearchField
          label="Search by person or action"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <CompactSelect
          label="Action"
          value={filter.action}
          onChange={(value) => put({ action: value })}
          options={[{ value: '', label: 'All actions' }, ...actionOptions(trail.data ?? [])]}
        />
        <CompactSelect
          label="Outcome"
          value={filter.outcome}
          onChange={(value) => put({ outcome: value })}
          options={[
            { value: '', label: 'All outcomes' },
            ...Object.entries(OUTCOMES).map(([value, { text }]) => ({ value, label: text })),
          ]}
        />
      </FilterRow>
      {trail.isPending ? (
        <Loading label="Loading the audit log" className={styles.ghosts}>
          {['a', 'b', 'c', 'd', 'e'].map((key) => (
            <Skeleton key={key} height={32} />
          ))}
        </Loading>
      ) : trail.isError ? (
        <ErrorPanel
          title="The audit log could not be loaded"
          detail={trail.error.message}
          reference={trail.error.requestId}
          isRetrying={trail.isFetching}
          onRetry={() => void trail.refetch()}
        />
      ) : trail.data.length === 0 ? (
        <EmptyState
          icon={<ScrollText />}
          title={isFiltered ? 'Nothing found' : 'Nothing yet'}
          subtitle={
            isFiltered
              ? 'No entry matches these filters.'
              : 'What members do in this account is recorded here, including what was refused.'
          }
          action={
            isFiltered && (
              <Button onClick={() => change(() => new URLSearchParams({ tab: 'audit' }))}>Clear filters</Button>
            )
          }
        />
      ) : (
        <>
          <DataTable
            label="Audit log"
            rows={trail.data}
            columns={COLUMNS}
            rowKey={(entry) => String(entry.seq)}
            state={state}
            onOpen={setOpen}
          />
          {trail.hasNextPage && (
            <div className={styles.more}>
              <Button isBusy={trail.isFetchingNextPage} onClick={() => void trail.fetchNextPage()}>
                Load more
              </Button>
            </div>
          )}
        </>
      )}
      {open && <AuditDetails entry={open} onClose={() => setOpen(null)} />}
    </>
  )
}
