import { DASHBOARD_DAYS, type DataflowHealth } from '@trellis/contract/dashboard/dashboard.schemas'
import { formatCount } from '../../../ui/data/amounts.ts'
import styles from './run-days.module.css'

export function RunDays({ days }: { days: DataflowHealth['days'] }) {
  const most = Math.max(1, ...days.map(({ succeeded, failed }) => succeeded + failed))
  const total = days.reduce((sum, { succeeded, failed }) => sum + succeeded + failed, 0)
  const failures = days.reduce((sum, { failed }) => sum + failed, 0)
  const summary = `${formatCount(total, 'run')} in ${DASHBOARD_DAYS} days, ${failures} failed`
  return (
    <figure className={styles.chart}>
      <ol className={styles.days} aria-label={summary}>
        {days.map(({ day, succeeded, failed }) => (
          <li key={day} title={`${formatDay(day)}: ${succeeded} succeeded, ${failed} failed`}>
            <span className={styles.failed} style={{ height: `${(failed / most) * 100}%` }} />
            <span className={styles.succeeded} style={{ height: `${(succeeded / most) * 100}%` }} />
            <span className="visually-hidden">{`${formatDay(day)}: ${succeeded} succeeded, ${failed} failed`}</span>
          </li>
        ))}
      </ol>
      <figcaption className={styles.caption}>
        <span>{days[0] && formatDay(days[0].day)}</span>
        <span>{summary}</span>
        <span>Today</span>
      </figcaption>
    </figure>
  )
}

const formatDay = (day: string): string =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(day))
