import type { SqlJob, Statement } from '@trellis/contract/sql/sql.schemas'
import { RotateCcw, Users } from 'lucide-react'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { Chart } from '../../../../charts/Chart.tsx'
import { ChartEditor } from '../../../../charts/ChartEditor.tsx'
import { buildChartData } from '../../../../charts/data/build-chart-data.ts'
import { Button } from '../../../../ui/actions/Button.tsx'
import { Skeleton } from '../../../../ui/feedback/Skeleton.tsx'
import { describeLoaded } from '../result-words.ts'
import type { LoadedRows } from '../result-rows.queries.ts'
import styles from './chart.module.css'
import { getStatementNumber } from './statement-number.ts'
import { useWorksheetChart } from './use-worksheet-chart.ts'

interface ChartViewProps {
  job: SqlJob
  result: Statement
  loaded: LoadedRows
}

/** A result as a chart, with its settings beside it. */
export default function ChartView({ job, result, loaded }: ChartViewProps) {
  const columns = useMemo(() => result.columns ?? [], [result.columns])
  const { rows } = loaded
  const chart = useWorksheetChart({
    fileId: job.file_id,
    statement: getStatementNumber(job.sql, result.start),
    columns,
    rows,
  })
  const loadAll = useEffectEvent(() => loaded.loadAll())
  useEffect(() => loadAll(), [])
  const { spec } = chart
  const data = useMemo(() => (spec ? buildChartData({ columns, rows }, spec) : null), [columns, rows, spec])
  if (!chart.isReady) return <Skeleton height="100%" />
  if (!spec || !data) {
    return (
      <p className={styles.message}>There is nothing to draw. A chart needs a column of numbers or repeated values.</p>
    )
  }
  return (
    <div className={styles.view}>
      <div className={styles.chart}>
        <Chart data={data} spec={spec} label="Chart of the result" />
        <p className={styles.facts}>{describeLoaded(loaded, result)}</p>
      </div>
      <aside aria-label="Chart settings" className={styles.settings}>
        <ChartEditor spec={spec} columns={columns} onChange={chart.change} />
        <div className={styles.actions}>
          {chart.canShare && (
            <Button size="sm" icon={<Users aria-hidden />} onClick={() => void chart.share()}>
              Share with project
            </Button>
          )}
          {chart.canReset && (
            <Button size="sm" variant="ghost" icon={<RotateCcw aria-hidden />} onClick={() => void chart.reset()}>
              Reset
            </Button>
          )}
        </div>
        <p role="status" className={styles.facts}>
          {chart.state}
        </p>
      </aside>
    </div>
  )
}
