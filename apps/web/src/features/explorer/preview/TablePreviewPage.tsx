import type { Filter } from '@trellis/contract/explorer/filters'
import type { RowEditing } from '@trellis/contract/explorer/row-edits.schemas'
import { RefreshCw } from 'lucide-react'
import { lazy, Suspense, useCallback, useState } from 'react'
import type { ApiError } from '../../../api/api-error.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { ErrorPanel } from '../../../ui/feedback/ErrorPanel.tsx'
import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import type { GridColumn } from '../../../ui/grid/grid-parts.ts'
import type { MenuItem } from '../../../ui/overlays/MenuPanel.tsx'
import { EditBar } from '../edit/EditBar.tsx'
import type { EditDialog } from '../edit/EditDialogs.tsx'
import { type RowEdits, useRowEdits } from '../edit/use-row-edits.ts'
import { useRowEditing } from '../row-edits.queries.ts'
import { useLastGood, useRestartRows, useRows, type LoadedRows } from '../rows.queries.ts'
import { useExplorer, useTableAddress } from '../use-explorer.ts'
import { FilterBar } from './FilterBar.tsx'
import { typeGroup } from './filter-words.ts'
import styles from './preview.module.css'
import { RowCount } from './RowCount.tsx'
import { useRowsView } from './use-rows-view.ts'

const loadGrid = () => import('../../../ui/grid/DataGrid.tsx')
const DataGrid = lazy(async () => ({ default: (await loadGrid()).DataGrid }))
const CellPanel = lazy(async () => ({ default: (await import('./CellPanel.tsx')).CellPanel }))
const CellEditor = lazy(async () => ({ default: (await import('../edit/CellEditor.tsx')).CellEditor }))
const EditDialogs = lazy(async () => ({ default: (await import('../edit/EditDialogs.tsx')).EditDialogs }))
// Prefetch beside the first rows; errors surface when the grid renders.
void loadGrid().catch(() => undefined)

export function Component() {
  const address = useTableAddress()
  // Remounts per table: selection, widths and the open cell belong to it.
  return <Preview key={`${address.database} ${address.schema} ${address.table}`} />
}

function Preview() {
  const { params } = useExplorer()
  const address = useTableAddress()
  const view = useRowsView()
  const rows = useRows(params, address, view)
  const restart = useRestartRows()
  const [cell, setCell] = useState<{ row: number; column: number } | null>(null)
  const open = useCallback((row: number, column: number) => setCell({ row, column }), [])
  const refusal = filterRefusal(rows.error, view.filters)
  const data = useLastGood(rows.data, refusal !== null)
  const { editing, edited, canEdit } = useEditing(data)
  const [dialog, setDialog] = useState<EditDialog | null>(null)
  return (
    <div className={styles.preview}>
      <div className={styles.bar}>
        <FilterBar columns={data?.columns ?? []} filters={view.filters} problem={refusal} onChange={view.setFilters} />
        {editing && (
          <EditBar
            editing={editing}
            edits={edited.edits}
            isUndoing={dialog?.kind === 'undo'}
            onAdd={() => {
              edited.addRow()
              setCell({ row: 0, column: findFirstColumn(editing) })
            }}
            onReview={() => setDialog({ kind: 'review' })}
            onDiscard={edited.discard}
            onUndo={(editId) => setDialog({ kind: 'undo', editId })}
          />
        )}
        <IconButton
          label="Refresh"
          icon={<RefreshCw aria-hidden className={rows.isRefetching ? styles.turning : undefined} />}
          onClick={() => void restart()}
        />
      </div>
      {data?.note && <Banner>{data.note}</Banner>}
      {rows.isError && !rows.isFetchNextPageError && !(refusal && data) ? (
        <RowsProblem rows={rows} view={view} />
      ) : data ? (
        <Rows
          data={data}
          edited={edited}
          canEdit={canEdit}
          isWaiting={rows.isPlaceholderData || refusal !== null}
          hasMore={rows.hasNextPage && refusal === null}
          isLoadingMore={rows.isFetchingNextPage}
          hasFailed={rows.isFetchNextPageError}
          onMore={() => void rows.fetchNextPage()}
          onOpen={open}
        />
      ) : (
        <Ghosts />
      )}
      <Overlays
        cell={cell}
        dialog={dialog}
        data={data}
        editing={editing}
        edited={edited}
        onApplied={() => void restart()}
        onClose={() => {
          setCell(null)
          setDialog(null)
        }}
      />
    </div>
  )
}

function RowsProblem({ rows, view }: { rows: ReturnType<typeof useRows>; view: ReturnType<typeof useRowsView> }) {
  return (
    <div className={styles.problem}>
      <ErrorPanel
        title="The rows could not be loaded"
        detail={rows.error?.message ?? ''}
        reference={rows.error?.requestId}
        isRetrying={rows.isFetching}
        onRetry={() => void rows.refetch()}
      >
        {view.filters.length > 0 && <Button onClick={() => view.setFilters([])}>Clear filters</Button>}
      </ErrorPanel>
    </div>
  )
}

/** A value that doesn't fit the column is an error of the filter: the rows stay. */
function filterRefusal(error: ApiError | null, filters: readonly Filter[]): string | null {
  return error && filters.length > 0 && error.code === 'invalid_request' ? error.detail : null
}

function Ghosts() {
  return (
    <Loading label="Loading rows" className={styles.ghosts}>
      {Array.from({ length: 12 }, (_, key) => (
        <Skeleton key={key} height={16} />
      ))}
    </Loading>
  )
}

function useEditing(data: LoadedRows | undefined) {
  const { params } = useExplorer()
  const { data: editing } = useRowEditing(params, useTableAddress())
  return { editing, edited: useRowEdits(data, editing), canEdit: editing?.can_edit ?? false }
}

interface OverlaysProps {
  cell: { row: number; column: number } | null
  dialog: EditDialog | null
  data: LoadedRows | undefined
  editing: RowEditing | undefined
  edited: RowEdits
  onApplied: () => void
  onClose: () => void
}

function Overlays({ cell, dialog, data, editing, edited, onApplied, onClose }: OverlaysProps) {
  return (
    <Suspense>
      {cell && data && <OpenCell cell={cell} data={data} editing={editing} edited={edited} onClose={onClose} />}
      {dialog && <EditDialogs dialog={dialog} rows={edited} onApplied={onApplied} onClose={onClose} />}
    </Suspense>
  )
}

interface OpenCellProps {
  cell: { row: number; column: number }
  data: LoadedRows
  editing: RowEditing | undefined
  edited: RowEdits
  onClose: () => void
}

function OpenCell({ cell, data, editing, edited, onClose }: OpenCellProps) {
  const address = useTableAddress()
  if (!editing?.can_edit) return <CellPanel address={address} data={data} cell={cell} onClose={onClose} />
  const key = `${cell.row} ${cell.column}`
  return <CellEditor key={key} data={data} editing={editing} rows={edited} cell={cell} onClose={onClose} />
}

function findFirstColumn({ columns }: RowEditing): number {
  return Math.max(
    0,
    columns.findIndex((column) => !column.is_read_only && !column.has_default),
  )
}

interface RowsProps {
  data: LoadedRows
  edited: RowEdits
  canEdit: boolean
  isWaiting: boolean
  hasMore: boolean
  isLoadingMore: boolean
  hasFailed: boolean
  onMore: () => void
  onOpen: (row: number, column: number) => void
}

function Rows({ data, edited, canEdit, isWaiting, hasMore, isLoadingMore, hasFailed, onMore, onOpen }: RowsProps) {
  const address = useTableAddress()
  const view = useRowsView()
  const columns: GridColumn[] = data.columns.map(({ name, type, is_sortable }) => ({
    key: name,
    title: name,
    note: type,
    isNumber: typeGroup(type) === 'number',
    canSort: is_sortable,
  }))
  const rowMenu = (selected: readonly number[]): MenuItem[] => {
    const [first = 0] = selected
    const words = selected.length === 1 ? 'row' : `${selected.length} rows`
    return [
      { label: 'Duplicate row', onSelect: () => edited.duplicateRow(first) },
      edited.isDeleted(first)
        ? { label: 'Keep row', onSelect: () => edited.keepRow(first) }
        : { label: `Delete ${words}`, isDanger: true, onSelect: () => edited.deleteRows(selected) },
    ]
  }
  return (
    <div className={styles.rows} aria-busy={isWaiting} data-waiting={isWaiting}>
      <Suspense fallback={<Ghosts />}>
        <DataGrid
          label={`Rows of ${address.table}`}
          columns={columns}
          rowCount={edited.rowCount}
          {...(canEdit && { rowMenu })}
          cellAt={edited.cellAt}
          sort={view.sort}
          onSort={view.sortBy}
          onOpen={onOpen}
          onNearEnd={() => {
            if (hasMore && !isLoadingMore && !hasFailed) onMore()
          }}
          empty={<Empty isFiltered={view.filters.length > 0} onClear={() => view.setFilters([])} />}
          foot={
            <>
              <RowCount
                address={address}
                filters={view.filters}
                loaded={data.rows.length}
                hasMore={hasMore}
                estimate={data.rowsEstimate}
              />
              {isLoadingMore && <span role="status">Loading more rows</span>}
              {hasFailed && !isLoadingMore && (
                <Button size="sm" onClick={onMore}>
                  More rows could not be loaded. Retry
                </Button>
              )}
            </>
          }
        />
      </Suspense>
    </div>
  )
}

function Empty({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (!isFiltered) return <p>This table has no rows yet.</p>
  return (
    <div>
      <p>No row matches these filters.</p>
      <Button onClick={onClear}>Clear filters</Button>
    </div>
  )
}
