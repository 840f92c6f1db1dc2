import type { FrameRows } from '@trellis/contract/sparks/spark-bridge.schemas'
import { useMemo, useRef, useState } from 'react'
import { formatValue } from '@trellis/contract/charts/format-value'
import { parseNumber } from '../../charts/data/aggregates.ts'
import { formatCount } from '../../ui/data/amounts.ts'
import { SearchField } from '../../ui/forms/SearchField.tsx'
import { useVirtual } from '../../ui/grid/use-virtual.ts'
import styles from '../kit.module.css'
import { usePrinting } from '../use-printing.ts'
import type { BlockOf } from './block-kinds.ts'
import { SourceBlock } from './SourceBlock.tsx'
import { arrangeRows, listTableColumns, type TableColumn, type TableSort } from './table-rows.ts'

const ROW_HEIGHT = 30
const MAX_HEIGHT = 440
const MAX_PRINTED_ROWS = 500
/** Shorter tables are rendered in full, for screen readers and search. */
const MIN_VIRTUAL_ROWS = 100

export function TableBlock({ block }: { block: BlockOf<'table'> }) {
  return (
    <SourceBlock source={block.source} title={block.title} needs={block.columns} height={240}>
      {(rows) => <Rows rows={rows} names={block.columns} label={block.title === '' ? 'Rows' : block.title} />}
    </SourceBlock>
  )
}

function Rows({ rows, names, label }: { rows: FrameRows; names: readonly string[]; label: string }) {
  const [words, setWords] = useState('')
  const [sort, setSort] = useState<TableSort | null>(null)
  const columns = useMemo(() => listTableColumns(rows, names), [rows, names])
  const shown = useMemo(() => arrangeRows(rows, columns, { words, sort }), [rows, columns, words, sort])
  const isPrinting = usePrinting()
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtual({
    count: shown.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
    initialRect: { width: 600, height: MAX_HEIGHT },
  })
  const lines = virtual.getVirtualItems()
  const isWhole = isPrinting || shown.length <= MIN_VIRTUAL_ROWS
  const [first, last] = isWhole
    ? [0, Math.min(shown.length, MAX_PRINTED_ROWS)]
    : [lines[0]?.index ?? 0, (lines.at(-1)?.index ?? -1) + 1]
  const before = first * ROW_HEIGHT
  const after = isWhole ? 0 : (shown.length - last) * ROW_HEIGHT
  return (
    <>
      <div className={styles.tableBar}>
        <SearchField
          label={`Search ${label.toLowerCase()}`}
          placeholder="Search"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        <span className={styles.quiet} role="status">
          {formatCount(shown.length, 'row')}
        </span>
      </div>
      <div
        ref={box}
        className={styles.scroll}
        style={{ maxHeight: isPrinting ? undefined : MAX_HEIGHT }}
        tabIndex={0}
        role="group"
        aria-label={label}
      >
        <table className={styles.table} aria-rowcount={shown.length + 1}>
          <thead>
            <tr>
              {columns.map((column) => (
                <SortHead key={column.at} column={column} sort={sort} onSort={setSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {before > 0 && <tr aria-hidden style={{ height: before }} />}
            {shown.slice(first, last).map((row, at) => (
              <tr key={first + at} aria-rowindex={first + at + 2} style={{ height: ROW_HEIGHT }}>
                {columns.map((column) => (
                  <td key={column.at} data-number={column.isNumber}>
                    {toText(row[column.at] ?? null, column)}
                  </td>
                ))}
              </tr>
            ))}
            {after > 0 && <tr aria-hidden style={{ height: after }} />}
          </tbody>
        </table>
      </div>
    </>
  )
}

function toText(value: string | null, { isNumber }: TableColumn): string {
  if (value === null) return ''
  const number = isNumber ? parseNumber(value) : null
  return number === null || !Number.isSafeInteger(Math.trunc(number)) ? value : formatValue(number)
}

function SortHead({
  column,
  sort,
  onSort,
}: {
  column: TableColumn
  sort: TableSort | null
  onSort: (sort: TableSort) => void
}) {
  const isSorted = sort?.at === column.at
  const isDescending = isSorted && sort.isDescending
  return (
    <th
      scope="col"
      data-number={column.isNumber}
      aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : 'none'}
    >
      <button
        type="button"
        className={styles.sort}
        onClick={() => onSort({ at: column.at, isDescending: isSorted ? !isDescending : column.isNumber })}
      >
        {column.name}
        <span aria-hidden>{isSorted ? (isDescending ? ' ↓' : ' ↑') : ''}</span>
      </button>
    </th>
  )
}
