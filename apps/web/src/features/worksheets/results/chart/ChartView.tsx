import type { ChartSpec } from '@trellis/contract/charts/charts.schemas'
import type { SqlJob, Statement } from '@trellis/contract/sql/sql.schemas'
import { RotateCcw, Users } from 'lucide-react'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { Chart } from '../../../../charts/Chart.tsx'
import { ChartEditor } from '../../../../charts/ChartEditor.tsx'
import { Button } from '../../../../ui/actions/Button.tsx'
import { Skeleton } from '../../../../ui/feedback/Skeleton.tsx'
import type { ResultEngine } from '../engine/result-engine.ts'
import type { LoadedResult } from '../engine/compute-result.ts'
import { useResultComputation } from '../engine/use-result-computation.ts'
import { describeLoaded } from '../result-words.ts'
import type { LoadedRows } from '../result-rows.queries.ts'
import styles from './chart.module.css'
import { MakeSparkButton } from './MakeSparkButton.tsx'
import { getStatementNumber } from './statement-number.ts'
import { useWorksheetChart } from './use-worksheet-chart.ts'

interface ChartViewProps {
  job: SqlJob
  result: Statement
  loaded: LoadedRows
  engine: ResultEngine
}

export default function ChartView({ job, result, loaded, engine }: ChartViewProps) {
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
  if (!chart.isReady) return <Skeleton height="100%" />
  if (!spec) {
    return (
      <p className={styles.message}>There is nothing to draw. A chart needs a column of numbers or repeated values.</p>
    )
  }
  return (
    <div className={styles.view}>
      <div className={styles.chart}>
        <Drawing engine={engine} source={{ columns, rows }} spec={spec} />
        <p className={styles.facts}>{describeLoaded(loaded, result)}</p>
      </div>
      <aside aria-label="Chart settings" className={styles.settings}>
        <ChartEditor spec={spec} columns={columns} onChange={chart.change} />
        <div className={styles.actions}>
          <MakeSparkButton job={job} result={result} chart={spec} />
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

function Drawing({ engine, source, spec }: { engine: ResultEngine; source: LoadedResult; spec: ChartSpec }) {
  const { result } = useResultComputation(engine, source, { op: 'chart', spec })
  return result ? <Chart data={result} spec={spec} label="Chart of the result" /> : <Skeleton height="100%" />
}
