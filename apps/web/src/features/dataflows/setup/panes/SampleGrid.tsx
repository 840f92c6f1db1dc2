import type { BlockSample } from '@trellis/contract/dataflows/task-blocks.schemas'
import { counted } from '../../../../ui/data/amounts.ts'
import { DataGrid } from '../../../../ui/grid/DataGrid.tsx'
import { ROW } from '../../../../ui/grid/grid-parts.ts'
import styles from './panes.module.css'

const NUMBERS = /^(integer|decimal|float|bigint|numeric|smallint|double|real)/
const nothing = () => undefined
const TALLEST = 520
const AROUND = 120

export default function SampleGrid({ sample, label, isOld }: { sample: BlockSample; label: string; isOld: boolean }) {
  const { columns, rows, is_cut } = sample
  return (
    <div className={styles.grid} data-old={isOld} style={{ height: Math.min(TALLEST, AROUND + rows.length * ROW) }}>
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
        empty="There are no rows."
        foot={`${counted(rows.length, 'row')}${is_cut ? ', there are more' : ''}`}
      />
    </div>
  )
}
