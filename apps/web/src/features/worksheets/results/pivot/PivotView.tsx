import type { ChartAggregate } from '@trellis/contract/charts/charts.schemas'
import type { Statement } from '@trellis/contract/sql/sql.schemas'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { formatValue } from '@trellis/contract/charts/format-value'
import { Select } from '../../../../ui/forms/Select.tsx'
import type { ColumnFilters } from '../engine/filter-rows.ts'
import type { Pivot } from '../engine/pivot-rows.ts'
import type { ResultEngine } from '../engine/result-engine.ts'
import { useResultComputation } from '../engine/use-result-computation.ts'
import type { LoadedRows } from '../result-rows.queries.ts'
import { describeLoaded } from '../result-words.ts'
import { guessPivot } from './guess-pivot.ts'
import styles from './pivot.module.css'

const DataGrid = lazy(async () => ({ default: (await import('../../../../ui/grid/DataGrid.tsx')).DataGrid }))

const AGGREGATES: { value: ChartAggregate; label: string }[] = [
  { value: 'sum', label: 'Sum' },
  { value: 'mean', label: 'Mean' },
  { value: 'median', label: 'Median' },
  { value: 'min', label: 'Minimum' },
  { value: 'max', label: 'Maximum' },
  { value: 'count', label: 'Count' },
  { value: 'count_distinct', label: 'Distinct values' },
]

interface PivotViewProps {
  result: Statement
  loaded: LoadedRows
  engine: ResultEngine
  filters: ColumnFilters
}

export default function PivotView({ result, loaded, engine, filters }: PivotViewProps) {
  const columns = result.columns ?? []
  const { rows } = loaded
  const [pivot, setPivot] = useState(() => guessPivot(columns, rows))
  const loadAll = useEffectEvent(() => loaded.loadAll())
  useEffect(() => loadAll(), [])
  const { result: pivotResult, isBusy } = useResultComputation(
    engine,
    { columns, rows },
    { op: 'pivot', filters, pivot },
  )
  const options = columns.map(({ name }, index) => ({ value: String(index), label: name }))
  const read = (text: string) => (text === '' ? null : Number(text))
  const filtered = Object.keys(filters).length
  return (
    <div className={styles.view}>
      <div className={styles.bar}>
        <Select
          label="Rows"
          options={options}
          value={String(pivot.row)}
          onChange={(event) => setPivot({ ...pivot, row: Number(event.target.value) })}
        />
        <Select
          label="Columns"
          options={options}
          placeholder="None"
          value={pivot.column === null ? '' : String(pivot.column)}
          onChange={(event) => setPivot({ ...pivot, column: read(event.target.value) })}
        />
        <Select
          label="Values"
          options={options}
          placeholder="Number of rows"
          value={pivot.value === null ? '' : String(pivot.value)}
          onChange={(event) => {
            const value = read(event.target.value)
            setPivot({ ...pivot, value, ...(value === null && { aggregate: 'count' as const }) })
          }}
        />
        <Select
          label="Aggregate"
          options={AGGREGATES}
          disabled={pivot.value === null}
          value={pivot.aggregate}
          onChange={(event) => setPivot({ ...pivot, aggregate: event.target.value as ChartAggregate })}
        />
      </div>
      <div className={styles.grid} aria-busy={isBusy}>
        {pivotResult && (
          <Suspense>
            <PivotGrid
              pivot={pivotResult}
              name={columns[pivot.row]?.name ?? ''}
              foot={[
                describeLoaded(loaded, result),
                ...(filtered > 0 ? [`${filtered} ${filtered === 1 ? 'filter is' : 'filters are'} on.`] : []),
                ...pivotResult.notes,
              ].join(' ')}
            />
          </Suspense>
        )}
      </div>
    </div>
  )
}

function PivotGrid({ pivot, name, foot }: { pivot: Pivot; name: string; foot: string }) {
  const { rowLabels, columnLabels, cells, rowTotals, columnTotals, total } = pivot
  const last = columnLabels.length + 1
  const toText = (value: number | null) => (value === null ? '' : formatValue(value))
  const cellAt = (row: number, column: number) => {
    const isTotal = row === rowLabels.length
    if (column === 0) return { text: isTotal ? 'Total' : (rowLabels[row] ?? null) }
    if (column === last) return { text: toText(isTotal ? total : (rowTotals[row] ?? null)) }
    return { text: toText((isTotal ? columnTotals : (cells[row] ?? []))[column - 1] ?? null) }
  }
  return (
    <DataGrid
      label="Pivot"
      columns={[
        { key: 'row', title: name },
        ...columnLabels.map((label, index) => ({ key: String(index), title: label ?? 'NULL', isNumber: true })),
        { key: 'total', title: 'Total', isNumber: true },
      ]}
      rowCount={rowLabels.length + 1}
      cellAt={cellAt}
      sort={null}
      onSort={() => undefined}
      onOpen={() => undefined}
      pinned={1}
      foot={foot}
    />
  )
}
