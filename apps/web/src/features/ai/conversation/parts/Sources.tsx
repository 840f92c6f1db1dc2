import { Link } from 'react-router'
import { formatEstimate } from '../../../../ui/data/amounts.ts'
import { DateTime } from '../../../../ui/data/DateTime.tsx'
import { useAi } from '../../use-ai.ts'
import { useConversationQuestion } from '../conversation-question.ts'
import type { PartOf } from './part-kinds.ts'
import styles from './parts.module.css'

export function Sources({ sources: { tables, contexts } }: { sources: PartOf<'sources'> }) {
  const { paths } = useAi()
  const { project } = useConversationQuestion()
  if (tables.length === 0 && contexts.length === 0) return null
  return (
    <div role="group" aria-label="Sources" className={styles.sources}>
      <h2>Sources</h2>
      <ul>
        {tables.map(({ integration_trellis_code: database, schema_name, table_name, rows_estimate, loaded_at }) => (
          <li key={`${database} ${schema_name}.${table_name}`}>
            <Link to={paths.table({ database, schema: schema_name, table: table_name })}>
              {schema_name}.{table_name}
            </Link>
            <span className={styles.soft}>
              {rows_estimate !== null && `${formatEstimate(rows_estimate)} rows · `}
              {loaded_at === null ? (
                'no load by Trellis'
              ) : (
                <>
                  loaded <DateTime value={loaded_at} format="recent" />
                </>
              )}
            </span>
          </li>
        ))}
        {contexts.map(({ context_trellis_code, name }) => (
          <li key={context_trellis_code}>
            <Link to={paths.project(project)}>{name}</Link>
            <span className={styles.soft}>business context</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
