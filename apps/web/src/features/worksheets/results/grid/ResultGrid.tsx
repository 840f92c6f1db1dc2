import type { SqlJob, Statement } from '@trellis/contract/sql/sql.schemas'
import { Columns3, X } from 'lucide-react'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { Button } from '../../../../ui/actions/Button.tsx'
import { IconButton } from '../../../../ui/actions/IconButton.tsx'
import type { Sort } from '../../../../ui/data/table-view.ts'
import type { GridColumn } from '../../../../ui/grid/grid-parts.ts'
import { type ColumnFilters, describeFilter } from '../engine/filter-rows.ts'
import type { ResultEngine } from '../engine/result-engine.ts'
import { useResultComputation } from '../engine/use-result-computation.ts'
import type { LoadedRows } from '../result-rows.queries.ts'
import { describeLoaded } from '../result-words.ts'
import { toCellText } from './cell-text.ts'
import {
  type ColumnLayout,
  createLayout,
  hideColumn,
  listShownColumns,
  moveColumn,
  togglePin,
} from './column-layout.ts'
import styles from './grid-view.module.css'
import { guessInsertTable } from './insert-table.ts'

const DataGrid = lazy(async () => ({ default: (await import('../../../../ui/grid/DataGrid.tsx')).DataGrid }))
const ResultCellPanel = lazy(async () => ({ default: (await import('./ResultCellPanel.tsx')).ResultCellPanel }))
const ColumnPanel = lazy(async () => ({ default: (await import('./ColumnPanel.tsx')).ColumnPanel }))

/** Longer cells are truncated in pages. */
const MAX_CELL_CHARACTERS = 10_000

interface ResultGridProps {
  job: SqlJob
  statement: number
  result: Statement
  loaded: LoadedRows
  engine: ResultEngine
  filters: ColumnFilters
  onFilters: (filters: ColumnFilters) => void
}

export function ResultGrid({ job, statement, result, loaded, engine, filters, onFilters }: ResultGridProps) {
  const columns = result.columns ?? []
  const [sort, setSort] = useState<Sort | null>(null)
  const [layout, setLayout] = useState<ColumnLayout>(() => createLayout(columns.length))
  const [open, setOpen] = useState<{ row: number; column: number } | null>(null)
  const [column, setColumn] = useState<number | null>(null)
  const { rows } = loaded
  const isFiltered = Object.keys(filters).length > 0
  const isOrdered = isFiltered || sort !== null
  const order = useResultComputation(engine, { columns, rows }, isOrdered ? { op: 'order', filters, sort } : null)
  // Sorting or filtering a part would look like all rows.
  const loadAll = useEffectEvent(() => loaded.loadAll())
  useEffect(() => {
    if (isOrdered) loadAll()
  }, [isOrdered])
  const shownColumns = listShownColumns(layout)
  const places = isOrdered ? order.result : null
  const rowAt = (index: number) => places?.[index] ?? index
  const columnAt = (index: number) => shownColumns[index] ?? index
  const turn = (key: string) =>
    setSort((before) =>
      before?.key !== key ? { key, direction: 'asc' } : before.direction === 'asc' ? { key, direction: 'desc' } : null,
    )
  const gridColumns = shownColumns.flatMap((index): GridColumn[] => {
    const { name, type, kind } = columns[index] ?? { name: '', type: '', kind: 'text' as const }
    return [
      {
        key: String(index),
        title: name,
        note: type,
        isNumber: kind === 'integer' || kind === 'decimal',
        isBoolean: kind === 'boolean',
        isJson: kind === 'json',
        canSort: true,
        isFiltered: filters[index] !== undefined,
      },
    ]
  })
  const columnMenu = (position: number) => {
    const index = columnAt(position)
    const isPinned = position < layout.pinnedCount
    return [
      [
        { label: 'Sort ascending', onSelect: () => setSort({ key: String(index), direction: 'asc' }) },
        { label: 'Sort descending', onSelect: () => setSort({ key: String(index), direction: 'desc' }) },
      ],
      [{ label: 'Filter and statistics', onSelect: () => setColumn(index) }],
      [
        { label: isPinned ? 'Unpin' : 'Pin to the left', onSelect: () => setLayout(togglePin(layout, index)) },
        { label: 'Move left', onSelect: () => setLayout(moveColumn(layout, index, -1)) },
        { label: 'Move right', onSelect: () => setLayout(moveColumn(layout, index, 1)) },
        { label: 'Hide', onSelect: () => setLayout(hideColumn(layout, index)) },
      ],
    ]
  }
  const openColumn = open ? columns[open.column] : undefined
  const count = places ? places.length : rows.length
  return (
    <div className={styles.view}>
      {(isFiltered || layout.hidden.length > 0) && (
        <div className={styles.chips}>
          {Object.entries(filters).map(([columnKey, filter]) => (
            <span key={columnKey} className={styles.chip}>
              <button type="button" className={styles.chipText} onClick={() => setColumn(Number(columnKey))}>
                {columns[Number(columnKey)]?.name} {describeFilter(filter)}
              </button>
              <IconButton
                size="sm"
                label={`Remove the filter of ${columns[Number(columnKey)]?.name}`}
                icon={<X aria-hidden />}
                onClick={() =>
                  onFilters(Object.fromEntries(Object.entries(filters).filter(([key]) => key !== columnKey)))
                }
              />
            </span>
          ))}
          {layout.hidden.length > 0 && (
            <Button
              size="sm"
              variant="ghost"
              icon={<Columns3 aria-hidden />}
              onClick={() => setLayout({ ...layout, hidden: [] })}
            >
              Show {layout.hidden.length} hidden
            </Button>
          )}
        </div>
      )}
      <div className={styles.grid}>
        <Suspense>
          <DataGrid
            label="Result"
            columns={gridColumns}
            rowCount={count}
            cellAt={(row, index) => {
              const value = rows[rowAt(row)]?.[columnAt(index)] ?? null
              const isCut = value !== null && value.length >= MAX_CELL_CHARACTERS
              return { text: toCellText(value, columns[columnAt(index)]?.kind), ...(isCut && { isCut }) }
            }}
            sort={sort}
            onSort={turn}
            onOpen={(row, index) => setOpen({ row: rowAt(row), column: columnAt(index) })}
            onNearEnd={loaded.loadMore}
            columnMenu={columnMenu}
            pinned={layout.pinnedCount}
            insertTable={guessInsertTable(job.sql.slice(result.start, result.end))}
            empty={isFiltered ? 'No row matches these filters.' : 'The query returned no rows.'}
            foot={
              isFiltered
                ? `${count.toLocaleString('en-GB')} of ${rows.length.toLocaleString('en-GB')} rows match. ${describeLoaded(loaded, result)}`
                : describeLoaded(loaded, result)
            }
          />
        </Suspense>
      </div>
      <Suspense>
        {open && openColumn && (
          <ResultCellPanel
            cellAddress={{ jobId: job.job_id, statement, ...open }}
            column={openColumn}
            onClose={() => setOpen(null)}
          />
        )}
        {column !== null && (
          <ColumnPanel
            columnIndex={column}
            source={{ columns, rows }}
            engine={engine}
            filters={filters}
            loadedRowsText={describeLoaded(loaded, result)}
            onLoadAllRows={() => loaded.loadAll()}
            onFiltersChange={onFilters}
            onClose={() => setColumn(null)}
          />
        )}
      </Suspense>
    </div>
  )
}
