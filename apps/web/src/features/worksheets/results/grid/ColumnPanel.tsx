import { useEffect, useEffectEvent } from 'react'
import { formatValue } from '@trellis/contract/charts/format-value'
import { SidePanel } from '../../../../ui/overlays/SidePanel.tsx'
import type { ColumnStats } from '../engine/column-stats.ts'
import type { ColumnFilters } from '../engine/filter-rows.ts'
import type { ResultEngine } from '../engine/result-engine.ts'
import type { TaskSource } from '../engine/result-tasks.ts'
import { useResultTask } from '../engine/use-result-task.ts'
import { FilterForm } from './FilterForm.tsx'
import styles from './column-panel.module.css'

interface ColumnPanelProps {
  at: number
  source: TaskSource
  engine: ResultEngine
  filters: ColumnFilters
  facts: string
  onOpen: () => void
  onFilters: (filters: ColumnFilters) => void
  onClose: () => void
}

export function ColumnPanel({ at, source, engine, filters, facts, onOpen, onFilters, onClose }: ColumnPanelProps) {
  const column = source.columns[at]
  const others = Object.fromEntries(Object.entries(filters).filter(([key]) => key !== String(at)))
  const { answer } = useResultTask(engine, source, { op: 'stats', column: at, filters: others })
  const opened = useEffectEvent(onOpen)
  useEffect(() => opened(), [])
  if (!column) return null
  return (
    <SidePanel title={column.name} onClose={onClose}>
      <p className={styles.facts}>
        <code>{column.type}</code> {facts}
        {Object.keys(others).length > 0 && ' Counts respect the filters on other columns.'}
      </p>
      <FilterForm
        key={at}
        kind={column.kind}
        filter={filters[at]}
        top={answer?.top ?? []}
        onChange={(filter) => onFilters(filter ? { ...others, [at]: filter } : others)}
      />
      {answer && <Statistics stats={answer} />}
    </SidePanel>
  )
}

function Statistics({ stats }: { stats: ColumnStats }) {
  const share = (count: number) => (stats.rows === 0 ? '' : ` (${formatValue((count / stats.rows) * 100)} %)`)
  const facts: [string, string | null][] = [
    ['Rows', formatValue(stats.rows)],
    ['NULL', `${formatValue(stats.nulls)}${share(stats.nulls)}`],
    ['Empty text', stats.empty === 0 ? null : formatValue(stats.empty)],
    ['Distinct values', formatValue(stats.distinct)],
    ['Minimum', stats.min],
    ['Maximum', stats.max],
    ['Mean', stats.mean === null ? null : formatValue(stats.mean)],
    ['Median', stats.median === null ? null : formatValue(stats.median)],
    ['Sum', stats.sum === null ? null : formatValue(stats.sum)],
  ]
  const highest = Math.max(1, ...stats.bins.map(({ count }) => count))
  return (
    <section aria-label="Statistics" className={styles.stats}>
      <h3>Statistics</h3>
      <dl>
        {facts.map(([name, value]) =>
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
          aria-label={`Histogram from ${stats.min} to ${stats.max}, highest bar ${highest} rows`}
          className={styles.bins}
        >
          {stats.bins.map(({ from, to, count }) => (
            <span
              key={from}
              title={`${from} to ${to}: ${formatValue(count)}`}
              style={{ height: `${(count / highest) * 100}%` }}
            />
          ))}
        </div>
      )}
    </section>
  )
}
