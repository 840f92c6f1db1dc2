import { useEffect, useEffectEvent } from 'react'
import { formatValue } from '@trellis/contract/charts/format-value'
import { SidePanel } from '../../../../ui/overlays/SidePanel.tsx'
import type { ColumnStats } from '../engine/column-stats.ts'
import type { ColumnFilters } from '../engine/filter-rows.ts'
import type { ResultEngine } from '../engine/result-engine.ts'
import type { LoadedResult } from '../engine/compute-result.ts'
import { useResultComputation } from '../engine/use-result-computation.ts'
import { FilterForm } from './FilterForm.tsx'
import styles from './column-panel.module.css'

interface ColumnPanelProps {
  columnIndex: number
  source: LoadedResult
  engine: ResultEngine
  filters: ColumnFilters
  loadedRowsText: string
  onLoadAllRows: () => void
  onFiltersChange: (filters: ColumnFilters) => void
  onClose: () => void
}

export function ColumnPanel({
  columnIndex,
  source,
  engine,
  filters,
  loadedRowsText,
  onLoadAllRows,
  onFiltersChange,
  onClose,
}: ColumnPanelProps) {
  const column = source.columns[columnIndex]
  const otherFilters = Object.fromEntries(Object.entries(filters).filter(([key]) => key !== String(columnIndex)))
  const { result } = useResultComputation(engine, source, { op: 'stats', column: columnIndex, filters: otherFilters })
  const loadAllRows = useEffectEvent(onLoadAllRows)
  useEffect(() => loadAllRows(), [])
  if (!column) return null
  return (
    <SidePanel title={column.name} onClose={onClose}>
      <p className={styles.facts}>
        <code>{column.type}</code> {loadedRowsText}
        {Object.keys(otherFilters).length > 0 && ' Counts respect the filters on other columns.'}
      </p>
      <FilterForm
        key={columnIndex}
        kind={column.kind}
        filter={filters[columnIndex]}
        topValues={result?.topValues ?? []}
        onChange={(filter) => onFiltersChange(filter ? { ...otherFilters, [columnIndex]: filter } : otherFilters)}
      />
      {result && <Statistics stats={result} />}
    </SidePanel>
  )
}

function Statistics({ stats }: { stats: ColumnStats }) {
  const formatShareOfRows = (count: number) =>
    stats.rows === 0 ? '' : ` (${formatValue((count / stats.rows) * 100)} %)`
  const loadedRowsText: [string, string | null][] = [
    ['Rows', formatValue(stats.rows)],
    ['NULL', `${formatValue(stats.nulls)}${formatShareOfRows(stats.nulls)}`],
    ['Empty text', stats.empty === 0 ? null : formatValue(stats.empty)],
    ['Distinct values', formatValue(stats.distinct)],
    ['Minimum', stats.min],
    ['Maximum', stats.max],
    ['Mean', stats.mean === null ? null : formatValue(stats.mean)],
    ['Median', stats.median === null ? null : formatValue(stats.median)],
    ['Sum', stats.sum === null ? null : formatValue(stats.sum)],
  ]
  const maxBinCount = Math.max(1, ...stats.bins.map(({ count }) => count))
  return (
    <section aria-label="Statistics" className={styles.stats}>
      <h3>Statistics</h3>
      <dl>
        {loadedRowsText.map(([name, value]) =>
          value === null ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value.slice(0, 200)}</dd>
            </div>
          ),
        )}
      </dl>
      {stats.bins.length > 0 && (
        <div
          role="img"
          aria-label={`Histogram from ${stats.min} to ${stats.max}, highest bar ${maxBinCount} rows`}
          className={styles.bins}
        >
          {stats.bins.map(({ from, to, count }) => (
            <span
              key={from}
              title={`${from} to ${to}: ${formatValue(count)}`}
              style={{ height: `${(count / maxBinCount) * 100}%` }}
            />
          ))}
        </div>
      )}
    </section>
  )
}
