import { formatValue } from '@trellis/contract/charts/format-value'
import styles from '../kit.module.css'
import type { BlockOf } from './block-kinds.ts'
import { Change } from './Change.tsx'
import { computeChange } from './columns.ts'
import { buildMetricTree, type Metric } from './metric-tree.ts'
import { SourceBlock } from './SourceBlock.tsx'

export function MetricTreeBlock({ block }: { block: BlockOf<'metric_tree'> }) {
  const { name_column, parent_column, value_column, compare_column } = block
  return (
    <SourceBlock
      source={block.source}
      title={block.title}
      needs={[name_column, parent_column, value_column, compare_column]}
      height={200}
    >
      {(rows) => <Branch metrics={buildMetricTree(rows, block)} whole={null} />}
    </SourceBlock>
  )
}

function Branch({ metrics, whole }: { metrics: readonly Metric[]; whole: number | null }) {
  return (
    <ul className={styles.tree}>
      {metrics.map(({ name, value, before, parts }) => (
        <li key={name}>
          <div className={styles.metric}>
            <span>{name}</span>
            <strong>{formatValue(value)}</strong>
            <Change share={computeChange(value, before)} />
            {whole !== null && whole !== 0 && value !== null && (
              <span className={styles.quiet}>
                {formatValue(value / whole, { style: 'percent', decimals: 0, prefix: '', suffix: '' })} of the metric
                above
              </span>
            )}
          </div>
          {parts.length > 0 && <Branch metrics={parts} whole={value} />}
        </li>
      ))}
    </ul>
  )
}
