import type { ResultColumn } from '@trellis/contract/sql/sql.schemas'
import { formatCount } from '../../ui/data/amounts.ts'
import styles from './sparks.module.css'

export function QueryPreviewTable({
  columns,
  rows,
}: {
  columns: readonly ResultColumn[]
  rows: readonly (readonly (string | null)[])[]
}) {
  return (
    <div role="group" aria-label="First rows" tabIndex={0} className={styles.tried}>
      <table>
        <caption>{rows.length === 0 ? 'No rows' : `The first ${formatCount(rows.length, 'row')}`}</caption>
        <thead>
          <tr>
            {columns.map(({ name, type }, index) => (
              <th key={index} scope="col" title={type}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((value, column) => (
                <td key={column}>{value ?? <em>null</em>}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
