import type { Column } from '@trellis/contract/explorer/explorer.schemas'
import { KeyRound } from 'lucide-react'
import { formatShare } from '../../../ui/data/amounts.ts'
import { describeDistinct } from './distinct.ts'
import styles from './table.module.css'

/** Statistics come from the planner, without reading rows. */
export function ColumnsTable({ columns, rows }: { columns: readonly Column[]; rows: number | null }) {
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label="Columns">
      <table className={styles.columns} aria-label="Columns">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Type</th>
            <th scope="col">Empty</th>
            <th scope="col">Different</th>
            <th scope="col">Common values</th>
          </tr>
        </thead>
        <tbody>
          {columns.map((column) => (
            <tr key={column.name}>
              <td>
                <span className={styles.columnName}>
                  {column.name}
                  {column.is_primary_key && (
                    <>
                      <KeyRound aria-hidden />
                      <span className="visually-hidden">primary key</span>
                    </>
                  )}
                </span>
                {column.description && <p className={styles.note}>{column.description}</p>}
              </td>
              <td>
                <code>{column.type}</code>
                <p className={styles.note}>{listFacts(column).join(' · ')}</p>
              </td>
              <Statistics column={column} rows={rows} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function listFacts(column: Column): string[] {
  return [
    ...(column.is_nullable ? [] : ['required']),
    ...(column.is_generated ? ['generated'] : []),
    ...(column.default === null ? [] : [`default ${column.default}`]),
  ]
}

function Statistics({ column: { statistics }, rows }: { column: Column; rows: number | null }) {
  if (statistics === null)
    return (
      <td colSpan={3}>
        <span className={styles.note}>Not known yet</span>
      </td>
    )
  const distinct = describeDistinct(statistics.distinct, rows)
  return (
    <>
      <td>
        <Meter share={statistics.null_fraction} of="nulls" text={formatShare(statistics.null_fraction)} />
      </td>
      <td>
        <Meter share={distinct.share} of="distinct" text={distinct.text} />
      </td>
      <td>
        {statistics.common.length > 0 ? (
          <ul className={styles.common}>
            {statistics.common.slice(0, 5).map((item) => (
              <li key={item.value}>
                <span title={item.value}>{item.value === '' ? '(empty text)' : item.value}</span>
                <span>{formatShare(item.share)}</span>
              </li>
            ))}
          </ul>
        ) : (
          statistics.lowest !== null && (
            <span className={styles.note}>
              {statistics.lowest} to {statistics.highest}
            </span>
          )
        )}
      </td>
    </>
  )
}

function Meter({ share, of, text }: { share: number | null; of: string; text: string }) {
  return (
    <span className={styles.meter}>
      <span>{text}</span>
      {share !== null && (
        <span aria-hidden className={styles.track}>
          <i data-of={of} style={{ width: `${Math.round(Math.min(1, Math.max(0, share)) * 100)}%` }} />
        </span>
      )}
    </span>
  )
}
