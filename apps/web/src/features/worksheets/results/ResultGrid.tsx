import type { Statement } from '@trellis/contract/sql/sql.schemas'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { Sort } from '../../../ui/data/table-view.ts'
import type { GridColumn } from '../../../ui/grid/grid-parts.ts'
import type { LoadedRows } from './result-rows.queries.ts'
import styles from './results.module.css'
import { toCellText } from './cell-text.ts'
import { sortRows } from './sort-rows.ts'

const DataGrid = lazy(async () => ({ default: (await import('../../../ui/grid/DataGrid.tsx')).DataGrid }))
const ResultCellPanel = lazy(async () => ({ default: (await import('./ResultCellPanel.tsx')).ResultCellPanel }))

interface ResultGridProps {
  jobId: string
  statement: number
  result: Statement
  loaded: LoadedRows
}

/** The rows of one result; sorting happens here, over what has been loaded. */
export function ResultGrid({ jobId, statement, result, loaded }: ResultGridProps) {
  const [sort, setSort] = useState<Sort | null>(null)
  const [open, setOpen] = useState<{ row: number; column: number } | null>(null)
  const columns = result.columns ?? []
  const { rows } = loaded
  const kind = sort ? columns[Number(sort.key)]?.kind : undefined
  const order = useMemo(
    () => (sort ? sortRows(rows, { column: Number(sort.key), direction: sort.direction, kind: kind ?? 'text' }) : null),
    [rows, sort, kind],
  )
  const rowAt = (at: number) => order?.[at] ?? at
  const gridColumns: GridColumn[] = columns.map(({ name, type, kind: of }, at) => ({
    key: String(at),
    title: name,
    note: type,
    isNumber: of === 'integer' || of === 'decimal',
    canSort: true,
  }))
  const turn = (key: string) =>
    setSort((before) =>
      before?.key !== key ? { key, direction: 'asc' } : before.direction === 'asc' ? { key, direction: 'desc' } : null,
    )
  const column = open ? columns[open.column] : undefined
  return (
    <div className={styles.grid}>
      <Suspense>
        <DataGrid
          label="Result"
          columns={gridColumns}
          rowCount={rows.length}
          cellAt={(row, at) => ({ text: toCellText(rows[rowAt(row)]?.[at] ?? null, columns[at]?.kind) })}
          sort={sort}
          onSort={turn}
          onOpen={(row, at) => setOpen({ row: rowAt(row), column: at })}
          onNearEnd={loaded.loadMore}
          empty="No rows."
        />
      </Suspense>
      {open && column && (
        <Suspense>
          <ResultCellPanel at={{ jobId, statement, ...open }} column={column} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </div>
  )
}
