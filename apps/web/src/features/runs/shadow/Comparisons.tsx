import type { Comparison } from '@trellis/contract/runs/comparisons.schemas'
import type { WorkspaceAddress } from '../../../api/workspace-address.ts'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { formatCount, wholeNumber } from '../../../ui/data/amounts.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Badge } from '../../../ui/feedback/Status.tsx'
import parts from '../../../running/running.module.css'
import { useComparisons } from '../runs.queries.ts'
import { CHANGE_LABELS, formatComparison, computeShares } from './comparison-words.ts'
import styles from './comparisons.module.css'
import { DifferentRows } from './DifferentRows.tsx'

export default function Comparisons({ address, run }: { address: WorkspaceAddress; run: string }) {
  const query = useComparisons(address, run)
  return (
    <section>
      <h3>What would be different</h3>
      <Loaded query={query} subject="The comparison" skeletonHeights={[96]}>
        {({ comparisons }) =>
          comparisons.length === 0 ? (
            <p className={parts.quiet}>No rows came, so no table would change. Comparisons are kept for 90 days.</p>
          ) : (
            <ul className={parts.lines}>
              {comparisons.map((comparison) => (
                <li key={comparison.subtask}>
                  <OneTable comparison={comparison} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}

function OneTable({ comparison }: { comparison: Comparison }) {
  const { schema_name, table_name, added, changed, gone, key, has_table, notes, changed_columns } = comparison
  const isSame = has_table && added + changed + gone === 0
  return (
    <div className={styles.table}>
      <div className={parts.lineHead}>
        <code>
          {schema_name}.{table_name}
        </code>
        {isSame ? <Badge tone="success">The same</Badge> : <Badge tone="info">Different</Badge>}
      </div>
      <p>{formatComparison(comparison)}</p>
      <Bar comparison={comparison} />
      {changed_columns.length > 0 && (
        <p className={parts.quiet}>
          {changed_columns.map(({ name, rows }) => `${name} in ${formatCount(rows, 'row')}`).join(', ')}
        </p>
      )}
      {has_table && (
        <p className={parts.quiet}>
          {key.length > 0
            ? `Rows are identified by ${key.join(', ')}.`
            : 'The table has no key for these rows: they are compared as a whole.'}
        </p>
      )}
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <Misfits comparison={comparison} />
      <DifferentRows comparison={comparison} />
    </div>
  )
}

function Bar({ comparison }: { comparison: Comparison }) {
  const shares = computeShares(comparison)
  if (shares.length === 0) return null
  return (
    <>
      <div className={styles.bar} aria-hidden>
        {shares.map(({ change, share }) => (
          <span key={change} data-change={change} style={{ flexGrow: share }} />
        ))}
      </div>
      <dl className={styles.legend}>
        {shares.map(({ change, rows }) => (
          <div key={change} data-change={change}>
            <dt>{CHANGE_LABELS[change]}</dt>
            <dd>{wholeNumber(rows)}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function Misfits({ comparison: { rejected, misfits } }: { comparison: Comparison }) {
  if (rejected === 0) return null
  return (
    <Banner tone="warning" title={`${formatCount(rejected, 'row')} would not fit`}>
      <ul className={styles.misfits}>
        {misfits.slice(0, 5).map(({ row, column, value, reason }) => (
          <li key={row}>
            Row {wholeNumber(row)}
            {column === null ? '' : `, ${column}`}
            {value === null ? '' : ` “${value}”`}: {reason}
          </li>
        ))}
      </ul>
    </Banner>
  )
}
