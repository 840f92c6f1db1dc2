import type { FrameRows } from '@trellis/contract/sparks/spark-bridge.schemas'
import type { ChartSpec } from '@trellis/contract/charts/charts.schemas'
import { useMemo } from 'react'
import { ChartFigure } from '../../charts/ChartFigure.tsx'
import { buildChartData } from '../../charts/data/build-chart-data.ts'
import styles from '../kit.module.css'
import type { BlockOf } from './block-kinds.ts'
import { SourceBlock } from './SourceBlock.tsx'

const HEIGHT = 320

export function ChartBlock({ block }: { block: BlockOf<'chart'> }) {
  const { chart, title } = block
  const spec = useMemo(() => ({ ...chart, title: chart.title === '' ? title : chart.title }), [chart, title])
  return (
    <SourceBlock source={block.source} title="" needs={[]} height={HEIGHT}>
      {(rows) => <DrawnChart rows={rows} spec={spec} />}
    </SourceBlock>
  )
}

function DrawnChart({ rows, spec }: { rows: FrameRows; spec: ChartSpec }) {
  const data = useMemo(() => buildChartData(rows, spec), [rows, spec])
  return (
    <div className={styles.chart} data-kind={spec.kind}>
      <ChartFigure data={data} spec={spec} label="Chart" />
    </div>
  )
}
