import type { BlockUpdate } from '@trellis/contract/worksheets/worksheets.schemas'
import { Link } from 'react-router'
import { Badge } from '../../../ui/feedback/Status.tsx'
import { useDataflowsScope } from '../../dataflows/dataflows.queries.ts'
import styles from './scheduled.module.css'

const UPDATE_LABELS = {
  published: { text: 'Runs the new version', tone: 'success' },
  draft: { text: 'Draft only', tone: 'warning' },
  kept: { text: 'Keeps its version', tone: 'warning' },
} as const

export function BlockUpdates({ updates }: { updates: readonly BlockUpdate[] }) {
  const { paths } = useDataflowsScope()
  if (updates.length === 0) return null
  return (
    <section aria-label="Dataflows that run these worksheets">
      <h3 className={styles.title}>Dataflows that run these worksheets</h3>
      <ul className={styles.blocks}>
        {updates.map(({ task_block_trellis_code: block, dataflow_trellis_code: dataflow, ...one }) => (
          <li key={block}>
            <span className={styles.line}>
              <Link to={paths.setup(dataflow, block)}>
                {one.name} ({one.dataflow_name})
              </Link>
              <Badge tone={UPDATE_LABELS[one.update].tone}>{UPDATE_LABELS[one.update].text}</Badge>
            </span>
            {one.reason !== null && <span className={styles.reason}>{one.reason}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}
