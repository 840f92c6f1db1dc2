import type { DataflowHealth } from '@trellis/contract/dashboard/dashboard.schemas'
import { Link } from 'react-router'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { formatDuration } from '../../../ui/data/durations.ts'
import { StatusDot, type Tone } from '../../../ui/feedback/Status.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { formatFreshness } from './freshness-text.ts'
import styles from './health.module.css'
import type { HomeScope } from './use-home-scope.ts'

type LoadedTable = DataflowHealth['tables'][number]

const STATES: Record<LoadedTable['freshness'], { tone: Tone; text: string }> = {
  late: { tone: 'warning', text: 'Late' },
  new: { tone: 'neutral', text: 'Not loaded yet' },
  paused: { tone: 'neutral', text: 'Paused' },
  fresh: { tone: 'success', text: 'Up to date' },
}

export function FreshnessCard({
  health: { tables, table_counts },
  scope,
}: {
  health: Pick<DataflowHealth, 'tables' | 'table_counts'>
  scope: HomeScope
}) {
  if (tables.length === 0) return null
  return (
    <Card isFlush title="Table freshness" subtitle={formatFreshness(table_counts)}>
      <ul className={styles.list} aria-label="Table freshness">
        {tables.map((table) => {
          const { tone, text } = STATES[table.freshness]
          return (
            <li key={`${table.schema_name}.${table.table_name}`}>
              <span className={styles.what}>
                <Link to={scope.table(table.schema_name, table.table_name)}>
                  {`${table.schema_name}.${table.table_name}`}
                </Link>
                <span className={styles.why}>
                  {table.usual_gap_seconds === null
                    ? `From ${table.dataflow_name}`
                    : `From ${table.dataflow_name}, usually every ${formatDuration(table.usual_gap_seconds * 1000)}`}
                </span>
              </span>
              <span className={styles.when}>
                {table.loaded_at !== null && <DateTime value={table.loaded_at} format="recent" />}
              </span>
              <StatusDot tone={tone}>{text}</StatusDot>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
