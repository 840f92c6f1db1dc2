import { type Deletion, RECYCLE_BIN_DAYS } from '@trellis/contract/explorer/recycle-bin.schemas'
import { ArchiveRestore, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { formatBytes, formatCount, formatEstimate } from '../../../ui/data/amounts.ts'
import { type Column, DataTable } from '../../../ui/data/DataTable.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { RowActions } from '../../../ui/data/RowActions.tsx'
import { useLocalTableState } from '../../../ui/data/use-table-state.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Page, PageHeader } from '../../../ui/layout/Page.tsx'
import styles from '../explorer.module.css'
import { KindIcon } from '../KindIcon.tsx'
import { useDeletions } from '../recycle-bin.queries.ts'
import { useExplorer } from '../use-explorer.ts'
import { countDaysLeft } from './days-left.ts'
import { PurgeDialog } from './PurgeDialog.tsx'
import { RestoreDialog } from './RestoreDialog.tsx'

type OpenDialog = { kind: 'restore' | 'purge'; deletion: Deletion }

export function Component() {
  const { params } = useExplorer()
  const deletions = useDeletions(params)
  const [open, setOpen] = useState<OpenDialog>()
  const total = deletions.data?.size_bytes ?? 0
  return (
    <Page>
      <PageHeader
        title="Recently deleted"
        subtitle={`Deleted tables and schemas can be restored for ${RECYCLE_BIN_DAYS} days. Then they are deleted for good.${total > 0 ? ` They take ${formatBytes(total)} of storage.` : ''}`}
      />
      <Loaded query={deletions} subject="The list of deleted tables">
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState
              icon={<Trash2 />}
              title="Nothing deleted"
              subtitle="Tables and schemas that are deleted in the explorer are listed here."
            />
          ) : (
            <List items={items} onOpen={setOpen} />
          )
        }
      </Loaded>
      {open?.kind === 'restore' && <RestoreDialog deletion={open.deletion} onClose={() => setOpen(undefined)} />}
      {open?.kind === 'purge' && <PurgeDialog deletion={open.deletion} onClose={() => setOpen(undefined)} />}
    </Page>
  )
}

function List({ items, onOpen }: { items: readonly Deletion[]; onOpen: (open: OpenDialog) => void }) {
  const { can } = useExplorer()
  const state = useLocalTableState()
  const mayChange = ({ kind }: Deletion) => can(kind === 'schema' ? 'explorer:manage' : 'explorer:write')
  const columns: Column<Deletion>[] = [
    {
      key: 'name',
      title: 'Name',
      sortBy: (row) => row.table_name ?? row.schema_name,
      cell: (row) => (
        <span className={styles.named}>
          <KindIcon kind={row.kind} />
          <span>
            {row.table_name ?? row.schema_name}{' '}
            <span className={styles.soft}>
              {row.table_name === null ? formatCount(row.tables, 'table') : `in ${row.schema_name}`}
            </span>
          </span>
        </span>
      ),
    },
    {
      key: 'deleted',
      title: 'Deleted',
      isSecondary: true,
      sortBy: (row) => new Date(row.deleted_at),
      cell: (row) => (
        <>
          <DateTime value={row.deleted_at} format="recent" />
          {row.deleted_by !== null && <span className={styles.soft}> by {row.deleted_by}</span>}
        </>
      ),
    },
    {
      key: 'rows',
      title: 'Rows',
      width: 110,
      isNumber: true,
      isExtra: true,
      sortBy: (row) => row.rows_estimate,
      cell: (row) => formatEstimate(row.rows_estimate),
    },
    {
      key: 'size',
      title: 'Size',
      width: 90,
      isNumber: true,
      isSecondary: true,
      sortBy: (row) => row.size_bytes,
      cell: (row) => formatBytes(row.size_bytes),
    },
    {
      key: 'left',
      title: 'Days left',
      width: 90,
      isNumber: true,
      sortBy: (row) => new Date(row.purge_at),
      cell: (row) => countDaysLeft(row.purge_at, new Date()),
    },
    {
      key: 'actions',
      title: '',
      width: 150,
      cell: (row) =>
        mayChange(row) && (
          <span className={styles.named}>
            <Button
              size="sm"
              icon={<ArchiveRestore aria-hidden />}
              onClick={() => onOpen({ kind: 'restore', deletion: row })}
            >
              Restore
            </Button>
            <RowActions
              label={`Actions for ${row.table_name ?? row.schema_name}`}
              groups={[
                [
                  {
                    label: 'Delete for good…',
                    icon: <Trash2 aria-hidden />,
                    isDanger: true,
                    onSelect: () => onOpen({ kind: 'purge', deletion: row }),
                  },
                ],
              ]}
            />
          </span>
        ),
    },
  ]
  return (
    <DataTable
      label="Recently deleted"
      rows={items}
      columns={columns}
      rowKey={(row) => row.deletion_code}
      state={state}
    />
  )
}
