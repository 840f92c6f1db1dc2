import type { FileModel } from '@trellis/contract/uploads/uploads.schemas'
import { Card } from '../../../ui/layout/Card.tsx'
import { formatCount } from '../../../ui/data/amounts.ts'
import styles from './model.module.css'

const SHOWN_ROWS = 20
const SHOWN_COLUMNS = 60

export function SampleTable({ fileModel }: { fileModel: FileModel }) {
  const rows = fileModel.sample.slice(0, SHOWN_ROWS)
  const columns = fileModel.columns.slice(0, SHOWN_COLUMNS)
  const hidden = fileModel.columns.length - columns.length
  return (
    <Card
      isFlush
      title="First rows"
      subtitle={
        hidden > 0
          ? `As the file is read now. ${formatCount(hidden, 'more column')} not shown.`
          : 'As the file is read now.'
      }
    >
      <RowsTable label="First rows of the file" columns={columns} rows={rows} />
    </Card>
  )
}

interface RowsTableProps {
  label: string
  columns: readonly { header: string }[]
  rows: readonly (readonly (string | null)[])[]
}

export function RowsTable({ label, columns, rows }: RowsTableProps) {
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label={label}>
      <table className={styles.rows}>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={index} scope="col">
                {column.header || `Column ${index + 1}`}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            <tr key={line}>
              {columns.map((_, index) => (
                <td key={index}>{row[index] ?? <span className={styles.null}>NULL</span>}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
