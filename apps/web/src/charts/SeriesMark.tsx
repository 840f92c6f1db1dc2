import type { ChartKind } from '@trellis/contract/charts/charts.schemas'
import styles from './charts.module.css'
import { DASHES, pickStyle } from './draw/series-styles.ts'

export function SeriesMark({ kind, at, color }: { kind: ChartKind; at: number; color: string }) {
  const dash = pickStyle(DASHES, at)
  const paint = `var(--${color})`
  if (kind === 'line' || kind === 'area') {
    return (
      <svg aria-hidden width="20" height="10" className={styles.mark}>
        <line
          x1="0"
          y1="5"
          x2="20"
          y2="5"
          stroke={paint}
          strokeWidth="2"
          {...(dash !== 'solid' && { strokeDasharray: dash.join(' ') })}
        />
      </svg>
    )
  }
  return (
    <span aria-hidden className={styles.swatch} data-pattern={at % DASHES.length} style={{ backgroundColor: paint }} />
  )
}
