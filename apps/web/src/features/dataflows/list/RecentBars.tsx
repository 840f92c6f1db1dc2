import type { DataflowSummary } from '@trellis/contract/dataflows/dataflows.schemas'
import styles from './list.module.css'

const HEIGHT = 20

export function RecentBars({ recent }: { recent: DataflowSummary['recent'] }) {
  const most = Math.max(1, ...recent.map(({ succeeded, failed }) => succeeded + failed))
  const succeeded = recent.reduce((sum, day) => sum + day.succeeded, 0)
  const failed = recent.reduce((sum, day) => sum + day.failed, 0)
  if (succeeded + failed === 0) return <span className={styles.soft}>No runs yet</span>
  const label = `Last ${recent.length} days: ${succeeded} succeeded, ${failed} failed`
  return (
    <span role="img" aria-label={label} title={label} className={styles.bars}>
      {recent.map((day) => {
        const total = day.succeeded + day.failed
        const height = total === 0 ? 2 : Math.max(3, Math.round((total / most) * HEIGHT))
        return (
          <i key={day.day} style={{ height }} data-none={total === 0 || undefined}>
            {day.failed > 0 && <b style={{ height: Math.max(2, Math.round((day.failed / total) * height)) }} />}
          </i>
        )
      })}
    </span>
  )
}
