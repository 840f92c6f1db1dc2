import type { ChartSpec } from '@trellis/contract/charts/charts.schemas'
import { useMemo } from 'react'
import { Chart } from '../../../../charts/Chart.tsx'
import { buildChartData } from '../../../../charts/data/build-chart-data.ts'
import type { PartOf } from './part-kinds.ts'
import styles from './parts.module.css'

export default function AnswerChart({ spec, table }: { spec: ChartSpec; table: PartOf<'table'> }) {
  const { columns, rows } = table
  const data = useMemo(() => buildChartData({ columns, rows }, spec), [columns, rows, spec])
  return (
    <div className={styles.chart} data-kind={spec.kind}>
      <Chart data={data} spec={spec} label="Chart of the answer" />
    </div>
  )
}
