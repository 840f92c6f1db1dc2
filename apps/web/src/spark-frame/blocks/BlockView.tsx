import type { SparkBlock } from '@trellis/contract/sparks/spark-content.schemas'
import { Markdown } from '../../ui/data/Markdown.tsx'
import styles from '../kit.module.css'
import { ChartBlock } from './ChartBlock.tsx'
import { ChecksBlock } from './ChecksBlock.tsx'
import { CohortBlock } from './CohortBlock.tsx'
import { FiltersBlock } from './FiltersBlock.tsx'
import { FunnelBlock } from './FunnelBlock.tsx'
import { MapBlock } from './map/MapBlock.tsx'
import { MetricTreeBlock } from './MetricTreeBlock.tsx'
import { NumberBlock } from './NumberBlock.tsx'
import { TableBlock } from './TableBlock.tsx'

export function BlockView({ block }: { block: SparkBlock }) {
  switch (block.kind) {
    case 'heading':
      return <h1 className={styles.heading}>{block.text}</h1>
    case 'text':
      return <Markdown text={block.text} hasOutsideLinks={false} />
    case 'filters':
      return <FiltersBlock block={block} />
    case 'number':
      return <NumberBlock block={block} />
    case 'chart':
      return <ChartBlock block={block} />
    case 'table':
      return <TableBlock block={block} />
    case 'funnel':
      return <FunnelBlock block={block} />
    case 'cohort':
      return <CohortBlock block={block} />
    case 'map':
      return <MapBlock block={block} />
    case 'metric_tree':
      return <MetricTreeBlock block={block} />
    case 'checks':
      return <ChecksBlock block={block} />
  }
}
