import type { ChartSpec } from '@trellis/contract/charts/charts.schemas'
import { Table2 } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Button } from '../ui/actions/Button.tsx'
import { Skeleton } from '../ui/feedback/Skeleton.tsx'
import { ChartTable } from './ChartTable.tsx'
import styles from './charts.module.css'
import type { ChartData } from './data/chart-data.ts'
import { formatX } from './data/describe-chart.ts'
import { formatValue } from '@trellis/contract/charts/format-value'
import { SeriesMark } from './SeriesMark.tsx'

const ChartPlot = lazy(() => import('./ChartPlot.tsx'))

export interface ChartProps {
  data: ChartData
  spec: ChartSpec
  /** The accessible name of a chart without a title. */
  label: string
}

export function ChartFigure({
  data,
  spec,
  label,
  actions,
}: ChartProps & { actions?: (hidden: ReadonlySet<string>) => ReactNode }) {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [isTable, setTable] = useState(false)
  if (data.problem !== null) return <p className={styles.message}>{data.problem}</p>
  const isBig = spec.kind === 'big_number'
  const toggle = (name: string) =>
    setHidden((before) => {
      const next = new Set(before)
      if (!next.delete(name)) next.add(name)
      return next
    })
  return (
    <figure aria-label={spec.title === '' ? label : spec.title} className={styles.figure}>
      <div className={styles.head}>
        <figcaption className={styles.title}>{spec.title}</figcaption>
        <Button
          size="sm"
          variant="ghost"
          icon={<Table2 aria-hidden />}
          aria-pressed={isTable}
          onClick={() => setTable(!isTable)}
        >
          Table
        </Button>
        {!isBig && actions?.(hidden)}
      </div>
      <Legend data={data} spec={spec} hidden={hidden} onToggle={toggle} />
      {isTable ? (
        <ChartTable data={data} spec={spec} />
      ) : isBig ? (
        <div className={styles.numbers}>
          {data.series.map(({ name, points }) => (
            <div key={name} className={styles.number}>
              <strong>{formatValue(points[0]?.[1] ?? null, spec.format)}</strong>
              <span>{name}</span>
            </div>
          ))}
        </div>
      ) : (
        <Suspense fallback={<Skeleton height="100%" />}>
          <ChartPlot data={data} spec={spec} hidden={hidden} />
        </Suspense>
      )}
      {data.notes.length > 0 && <p className={styles.notes}>{data.notes.join(' ')}</p>}
    </figure>
  )
}

function Legend({
  data,
  spec,
  hidden,
  onToggle,
}: {
  data: ChartData
  spec: ChartSpec
  hidden: ReadonlySet<string>
  onToggle: (name: string) => void
}) {
  const entries =
    spec.kind === 'pie'
      ? (data.series[0]?.points ?? []).map(([x], at) => ({ name: formatX(data, x), color: `chart-${at % 8}` }))
      : data.series
  if (spec.kind === 'big_number' || entries.length < 2) return null
  return (
    <div role="group" aria-label="Series" className={styles.legend}>
      {entries.map(({ name, color }, at) => (
        <button
          key={name}
          type="button"
          aria-pressed={!hidden.has(name)}
          className={styles.legendItem}
          onClick={() => onToggle(name)}
        >
          <SeriesMark kind={spec.kind} at={at} color={color} />
          {name}
        </button>
      ))}
    </div>
  )
}
