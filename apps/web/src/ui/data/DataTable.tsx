import { ArrowDown, ArrowUp, ChevronRight } from 'lucide-react'
import { Fragment, useId, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { IconButton } from '../actions/IconButton.tsx'
import { classNames } from '../class-names.ts'
import { SearchField } from '../forms/SearchField.tsx'
import { Kbd } from './Kbd.tsx'
import styles from './data.module.css'
import { getNextSort, searchRows, sortRows } from './table-view.ts'
import type { TableState } from './use-table-state.ts'

export interface Column<Row> {
  key: string
  title: string
  cell: (row: Row) => ReactNode
  sortBy?: (row: Row) => string | number | Date | null
  width?: number | string
  isNumber?: boolean
  /** Left out on phones. */
  isSecondary?: boolean
  /** Left out on tablets too, where it would squeeze the others. */
  isExtra?: boolean
}

interface Unfold<Row> {
  label: (row: Row) => string
  content: (row: Row) => ReactNode
}

interface DataTableProps<Row> {
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string
  state: TableState
  searchText?: (row: Row) => string
  onOpen?: (row: Row) => void
  /** What a row unfolds to below itself. */
  unfold?: Unfold<Row>
  toolbar?: ReactNode
  isInCard?: boolean
}

const getClassName = ({
  isNumber,
  isSecondary,
  isExtra,
}: Pick<Column<never>, 'isNumber' | 'isSecondary' | 'isExtra'>) =>
  classNames(isNumber && styles.end, isSecondary && styles.secondary, isExtra && styles.extra)

/** Dense list with search, sort and keys: j and k move, Enter opens, / searches, Escape clears. */
export function DataTable<Row>({
  label,
  rows,
  columns,
  rowKey,
  state,
  searchText,
  onOpen,
  unfold,
  toolbar,
  isInCard = false,
}: DataTableProps<Row>) {
  const box = useRef<HTMLDivElement>(null)
  const { query, sort } = state
  const shown = useMemo(() => {
    const found = searchText ? searchRows(rows, searchText, query) : rows
    const sortBy = columns.find((column) => column.key === sort?.key)?.sortBy
    return sort && sortBy ? sortRows(found, sortBy, sort.direction) : found
  }, [rows, columns, searchText, query, sort])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement) {
      if (event.key === 'Escape') state.setQuery('')
      return
    }
    const lines = [...(box.current?.querySelectorAll<HTMLElement>('tbody tr[tabindex]') ?? [])]
    const at = lines.indexOf(document.activeElement as HTMLElement)
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key]
    if (step) lines[Math.min(lines.length - 1, Math.max(0, at + step))]?.focus()
    else if (event.key === '/') box.current?.querySelector<HTMLInputElement>('input')?.focus()
    else if (event.key === 'Enter' && event.target === lines[at]) lines[at]?.click()
    else return
    event.preventDefault()
  }

  return (
    <div ref={box} onKeyDown={onKeyDown}>
      {(searchText || toolbar) && (
        <div className={styles.toolbar}>
          {searchText && (
            <SearchField
              label={`Search ${label.toLowerCase()}`}
              value={query}
              onChange={(event) => state.setQuery(event.target.value)}
              end={<Kbd keys="/" />}
            />
          )}
          {toolbar}
        </div>
      )}
      <div className={classNames(styles.frame, isInCard && styles.inCard)}>
        <table className={styles.table} aria-label={label}>
          <thead>
            <tr>
              {unfold && <th className={styles.unfold} aria-label="Details" />}
              {columns.map((column) => (
                <Header key={column.key} column={column} state={state} />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, at) => (
              <Line
                key={rowKey(row)}
                row={row}
                columns={columns}
                isFirst={at === 0}
                {...(onOpen && { onOpen })}
                {...(unfold && { unfold })}
              />
            ))}
            {shown.length === 0 && (
              <tr>
                <td colSpan={columns.length} className={styles.none}>
                  {query ? `Nothing found for “${query}”.` : 'Nothing here yet.'}
                </td>
              </tr>
            )}
          </tbody>
        </table>
      </div>
      {query && shown.length > 0 && (
        <div className={styles.foot} role="status">
          {shown.length} of {rows.length}
        </div>
      )}
    </div>
  )
}

interface LineProps<Row> {
  row: Row
  columns: readonly Column<Row>[]
  isFirst: boolean
  onOpen?: (row: Row) => void
  unfold?: Unfold<Row>
}

function Line<Row>({ row, columns, isFirst, onOpen, unfold }: LineProps<Row>) {
  const [isUnfolded, setUnfolded] = useState(false)
  const id = useId()
  const onKeyDown = (event: KeyboardEvent) => {
    if (!unfold || event.target !== event.currentTarget) return
    if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return
    event.preventDefault()
    setUnfolded(event.key === 'ArrowRight')
  }
  return (
    <Fragment>
      <tr
        tabIndex={onOpen ? (isFirst ? 0 : -1) : undefined}
        data-open={onOpen !== undefined}
        onClick={() => onOpen?.(row)}
        onKeyDown={onKeyDown}
      >
        {unfold && (
          <td className={styles.unfold}>
            <IconButton
              size="sm"
              label={unfold.label(row)}
              icon={<ChevronRight aria-hidden />}
              aria-expanded={isUnfolded}
              aria-controls={isUnfolded ? id : undefined}
              onClick={(event) => {
                event.stopPropagation()
                setUnfolded(!isUnfolded)
              }}
            />
          </td>
        )}
        {columns.map((column) => (
          <td key={column.key} className={getClassName(column)}>
            {column.cell(row)}
          </td>
        ))}
      </tr>
      {unfold && isUnfolded && (
        <tr id={id} className={styles.unfolded}>
          <td colSpan={columns.length + 1}>{unfold.content(row)}</td>
        </tr>
      )}
    </Fragment>
  )
}

function Header<Row>({ column, state }: { column: Column<Row>; state: TableState }) {
  const direction = state.sort?.key === column.key ? state.sort.direction : undefined
  const sorted = direction === undefined ? undefined : direction === 'asc' ? 'ascending' : 'descending'
  return (
    <th
      scope="col"
      aria-sort={sorted}
      style={column.width === undefined ? undefined : { width: column.width }}
      className={getClassName(column)}
    >
      {column.sortBy ? (
        <button
          type="button"
          className={styles.sort}
          onClick={() => state.setSort(getNextSort(state.sort, column.key))}
        >
          {column.title}
          {direction === 'asc' && <ArrowUp aria-hidden />}
          {direction === 'desc' && <ArrowDown aria-hidden />}
        </button>
      ) : (
        column.title
      )}
    </th>
  )
}
