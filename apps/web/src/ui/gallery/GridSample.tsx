import { useState } from 'react'
import type { Sort } from '../data/table-view.ts'
import { getNextSort } from '../data/table-view.ts'
import { DataGrid } from '../grid/DataGrid.tsx'
import type { GridColumn } from '../grid/grid-parts.ts'
import styles from './gallery.module.css'

const ROWS = 200_000
const COLUMNS: GridColumn[] = [
  { key: 'id', title: 'id', note: 'bigint', isNumber: true, canSort: true },
  { key: 'city', title: 'city', note: 'text', canSort: true },
  { key: 'amount', title: 'amount', note: 'numeric', isNumber: true, canSort: true },
  { key: 'note', title: 'note', note: 'text' },
  ...Array.from({ length: 8 }, (_, at) => ({
    key: `m${at}`,
    title: `month_${at + 1}`,
    note: 'numeric',
    isNumber: true,
  })),
]
const CITIES = ['Aarhus', 'Bilbao', 'Cork', 'Dresden', 'Evora']

function cellAt(row: number, column: number) {
  if (column === 0) return { text: String(row + 1) }
  if (column === 1) return { text: CITIES[row % CITIES.length] ?? null }
  if (column === 3) return { text: row % 3 === 0 ? null : `{"row": ${row}, "kept": true}` }
  return { text: (((row * 37 + column * 911) % 100_000) / 100).toFixed(2) }
}

const ignore = () => undefined

/** As many rows as the product ever holds at once. */
export function GridSample() {
  const [sort, setSort] = useState<Sort | null>(null)
  return (
    <div className={styles.grid}>
      <DataGrid
        label="Readings"
        columns={COLUMNS}
        rowCount={ROWS}
        cellAt={cellAt}
        sort={sort}
        onSort={(key) => setSort((oldSort) => getNextSort(oldSort, key))}
        onOpen={ignore}
        foot={`${ROWS.toLocaleString('en-US')} rows`}
      />
    </div>
  )
}
