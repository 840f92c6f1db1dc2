import { formatCount } from '../data/amounts.ts'
import { DataGrid } from './DataGrid.tsx'
import { ROW } from './grid-parts.ts'
import styles from './grid.module.css'

const NUMBERS = /^(integer|decimal|float|bigint|numeric|smallint|double|real)/
const nothing = () => undefined
const TALLEST = 480
/** The header, the foot, and room for a word when there are no rows. */
const AROUND = 150

export interface SampleGridProps {
  label: string
  columns: readonly { name: string; type: string }[]
  rows: readonly (readonly (string | null)[])[]
  isCut: boolean
  /** What they were read from has changed since. */
  isOld?: boolean
  empty?: string
}

/** Some rows to look at: as high as they need, up to a limit, in the order they came. */
export default function SampleGrid({ label, columns, rows, isCut, isOld = false, empty }: SampleGridProps) {
  return (
    <div className={styles.sample} data-old={isOld} style={{ height: Math.min(TALLEST, AROUND + rows.length * ROW) }}>
      <DataGrid
        label={label}
        columns={columns.map(({ name, type }) => ({
          key: name,
          title: name,
          note: type,
          isNumber: NUMBERS.test(type),
        }))}
        rowCount={rows.length}
        cellAt={(row, column) => ({ text: rows[row]?.[column] ?? null })}
        sort={null}
        onSort={nothing}
        onOpen={nothing}
        empty={empty ?? 'There are no rows.'}
        foot={`${formatCount(rows.length, 'row')}${isCut ? ', there are more' : ''}`}
      />
    </div>
  )
}
