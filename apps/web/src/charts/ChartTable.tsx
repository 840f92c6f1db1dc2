import type { ChartSpec } from '@trellis/contract/charts/charts.schemas'
import styles from './charts.module.css'
import type { ChartData } from './data/chart-data.ts'
import { listTableRows } from './data/describe-chart.ts'
import { formatValue } from '@trellis/contract/charts/format-value'

const MAX_ROWS = 1000

export function ChartTable({ data, spec }: { data: ChartData; spec: ChartSpec }) {
  const rows = listTableRows(data)
  return (
    <div role="region" aria-label="Chart data" tabIndex={0} className={styles.tableBox}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{data.xTitle}</th>
            {data.series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MAX_ROWS).map(({ x, values }, at) => (
            <tr key={at}>
              <th scope="row">{x}</th>
              {values.map((value, column) => (
                <td key={column}>{value === null ? '' : formatValue(value, spec.format)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > MAX_ROWS && (
        <p className={styles.notes}>
          The first {MAX_ROWS.toLocaleString('en-GB')} of {rows.length.toLocaleString('en-GB')} points.
        </p>
      )}
    </div>
  )
}
