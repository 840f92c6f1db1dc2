import type { RunningQuery } from '@trellis/contract/sql/running.schemas'
import { Button } from '../../../ui/actions/Button.tsx'
import { CodeBlock } from '../../../ui/data/CodeBlock.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { SidePanel } from '../../../ui/overlays/SidePanel.tsx'
import { RUNNING_STATES, formatBlockers, formatQuerySource, formatQueryOwner } from '../query-words.ts'
import styles from '../sql.module.css'

interface QueryPanelProps {
  query: RunningQuery
  onStop: () => void
  onClose: () => void
}

export function QueryPanel({ query, onStop, onClose }: QueryPanelProps) {
  return (
    <SidePanel title="Running query" onClose={onClose}>
      <CodeBlock code={query.query} isWrapped />
      <dl className={styles.facts}>
        <dt>Who</dt>
        <dd>{formatQueryOwner(query)}</dd>
        <dt>From</dt>
        <dd>
          {formatQuerySource(query)}
          {query.address !== null && `, ${query.address}`}
        </dd>
        {query.login !== null && (
          <>
            <dt>Database login</dt>
            <dd>{query.login}</dd>
          </>
        )}
        <dt>State</dt>
        <dd>{RUNNING_STATES[query.state].text}</dd>
        <dt>Since</dt>
        <dd>
          <DateTime value={query.since} />
        </dd>
        {query.blocked_by.length > 0 && (
          <>
            <dt>Blocked</dt>
            <dd>{formatBlockers(query)}</dd>
          </>
        )}
        {query.pid !== null && (
          <>
            <dt>Process</dt>
            <dd>{query.pid}</dd>
          </>
        )}
      </dl>
      <Button variant="danger" onClick={onStop}>
        Stop
      </Button>
    </SidePanel>
  )
}
