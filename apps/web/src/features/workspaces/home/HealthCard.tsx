import type { DataflowHealth } from '@trellis/contract/dashboard/dashboard.schemas'
import { Workflow } from 'lucide-react'
import { Link } from 'react-router'
import { shortCount, wholeNumber } from '../../../ui/data/amounts.ts'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import styles from './health.module.css'
import { RunDays } from './RunDays.tsx'
import type { HomeScope } from './use-home-scope.ts'

export function HealthCard({ health, scope }: { health: DataflowHealth; scope: HomeScope }) {
  const { last_24_hours: day, running, queued } = health
  if (health.dataflow_count === 0) {
    return (
      <Card title="Dataflows">
        <EmptyState
          icon={<Workflow />}
          title="No dataflows yet"
          subtitle="A dataflow loads data on a schedule, transforms it and writes it where it is needed."
          action={<Link to={`${scope.root}/dataflows`}>Open dataflows</Link>}
        />
      </Card>
    )
  }
  return (
    <Card title="Dataflows" actions={<Link to={`${scope.root}/dataflows`}>All dataflows</Link>}>
      <dl className={styles.figures}>
        <div>
          <dt>Succeeded (24 h)</dt>
          <dd>{wholeNumber(day.succeeded)}</dd>
        </div>
        <div data-tone={day.failed > 0 ? 'danger' : undefined}>
          <dt>Failed (24 h)</dt>
          <dd>{wholeNumber(day.failed)}</dd>
        </div>
        <div>
          <dt>Rows written (24 h)</dt>
          <dd>{shortCount(day.rows)}</dd>
        </div>
        <div>
          <dt>Running now</dt>
          <dd>
            {wholeNumber(running)}
            {queued > 0 && <small>{` + ${wholeNumber(queued)} queued`}</small>}
          </dd>
        </div>
      </dl>
      <RunDays days={health.days} />
    </Card>
  )
}

export function NextRunsCard({ due, scope }: { due: DataflowHealth['next_due']; scope: HomeScope }) {
  return (
    <Card isFlush title="Next runs">
      {due.length === 0 ? (
        <p className={styles.none}>No schedule is active.</p>
      ) : (
        <ul className={styles.list} aria-label="Next runs">
          {due.map(({ dataflow_trellis_code, name, at }) => (
            <li key={dataflow_trellis_code}>
              <Link to={scope.dataflow(dataflow_trellis_code)}>{name}</Link>
              <span className={styles.when}>
                <DateTime value={at} format="relative" />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
