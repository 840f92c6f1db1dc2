import { counted } from '../../../../ui/data/amounts.ts'
import { DataGrid } from '../../../../ui/grid/DataGrid.tsx'
import { ROW } from '../../../../ui/grid/grid-parts.ts'
import type { PartOf } from './part-kinds.ts'
import styles from './parts.module.css'

const MAX_HEIGHT = 420
/** The header, the foot and a scrollbar. */
const FRAME_HEIGHT = 110
/** Room for a word in place of rows. */
const EMPTY_ROWS = 3
const NUMBERS: ReadonlySet<string> = new Set(['integer', 'decimal'])
const BOOLEANS: Readonly<Record<string, string>> = { t: 'true', f: 'false' }
const nothing = () => undefined

export default function AnswerTable({ table: { columns, rows, is_cut } }: { table: PartOf<'table'> }) {
  return (
    <div
      className={styles.table}
      style={{ height: Math.min(MAX_HEIGHT, FRAME_HEIGHT + (rows.length || EMPTY_ROWS) * ROW) }}
    >
      <DataGrid
        label="Answer"
        columns={columns.map(({ name, type, kind }, at) => ({
          key: String(at),
          title: name,
          note: type,
          isNumber: NUMBERS.has(kind),
          isBoolean: kind === 'boolean',
          isJson: kind === 'json',
        }))}
        rowCount={rows.length}
        cellAt={(row, column) => {
          const value = rows[row]?.[column] ?? null
          return { text: value !== null && columns[column]?.kind === 'boolean' ? (BOOLEANS[value] ?? value) : value }
        }}
        sort={null}
        onSort={nothing}
        onOpen={nothing}
        empty="The query returned no rows."
        foot={`${counted(rows.length, 'row')}${is_cut ? ', there are more' : ''}`}
      />
    </div>
  )
}
