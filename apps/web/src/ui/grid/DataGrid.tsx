import { useEffect, useId, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import { defaultRangeExtractor } from '@tanstack/react-virtual'
import { showToast } from '../feedback/toasts.ts'
import { ContextMenu, type MenuPoint } from '../overlays/ContextMenu.tsx'
import type { MenuItem } from '../overlays/MenuPanel.tsx'
import type { Sort } from '../data/table-view.ts'
import { useVirtual } from './use-virtual.ts'
import { useColumnWidths } from './column-widths.ts'
import { formatCell, COPY_FORMATS, copyText, type CopyFormat } from './copy-text.ts'
import { cellId, findCell, isDrawn, GUTTER, HEAD, ROW, type GridCell, type GridColumn } from './grid-parts.ts'
import { GridHeader } from './GridHeader.tsx'
import { GridRow } from './GridRow.tsx'
import { GridFoot } from './GridFoot.tsx'
import styles from './grid.module.css'
import {
  findAction,
  selectCell,
  cellCount,
  HEADER,
  inRows,
  isIn,
  moveSelection,
  toRange,
  type GridAct,
  type Range,
  type Selection,
} from './selection.ts'

interface DataGridProps {
  label: string
  columns: readonly GridColumn[]
  rowCount: number
  cellAt: (row: number, column: number) => GridCell
  sort: Sort | null
  onSort: (key: string) => void
  onOpen: (row: number, column: number) => void
  /** The end of what is loaded is near. */
  onNearEnd?: () => void
  /** In place of the rows when there are none. */
  empty?: ReactNode
  foot?: ReactNode
  /** What can be done with the chosen rows. */
  rowMenu?: (rows: readonly number[]) => MenuItem[]
  /** What can be done with a column, from its header. */
  columnMenu?: (column: number) => readonly (readonly MenuItem[])[]
  /** How many of the first columns stay in sight. */
  pinned?: number
  /** Lets cells be copied as INSERT statements into this table, written as in SQL. */
  insertTable?: string
}

const NEAR_END = 40
const SAMPLE = 50
const MENU_WIDTH = 52

/**
 * Rows and columns of which only those in sight are drawn.
 * Arrows walk, Shift extends, Ctrl-C copies, Enter opens a cell or sorts by a header, Alt-Shift-arrows change a width.
 */
export function DataGrid(props: DataGridProps) {
  const {
    label,
    columns,
    rowCount,
    cellAt,
    sort,
    onSort,
    onOpen,
    onNearEnd,
    empty,
    foot,
    rowMenu,
    columnMenu,
    pinned = 0,
    insertTable,
  } = props
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [chosen, setSelection] = useState<Selection>(selectCell(0, 0))
  const selection = inRows(chosen, rowCount)
  const [menu, setMenu] = useState<(MenuPoint & { column?: number }) | null>(null)
  const { widths, setWidth, fit } = useColumnWidths({
    columns,
    headerExtra: columnMenu ? MENU_WIDTH : 0,
    sample: (column) => Array.from({ length: Math.min(SAMPLE, rowCount) }, (_, row) => cellAt(row, column).text),
  })
  const rows = useVirtual({
    count: rowCount,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 6,
    paddingStart: HEAD,
    scrollPaddingStart: HEAD,
    initialRect: { width: 900, height: 600 },
  })
  const across = useVirtual({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => box.current,
    estimateSize: (column) => widths[column] ?? 120,
    getItemKey: (column) => columns[column]?.key ?? column,
    overscan: 3,
    paddingStart: GUTTER,
    scrollPaddingStart: GUTTER + widths.slice(0, pinned).reduce((sum, width) => sum + width, 0),
    initialRect: { width: 900, height: 600 },
    rangeExtractor: (range) => [
      ...new Set([
        ...Array.from({ length: Math.min(pinned, range.count) }, (_, at) => at),
        ...defaultRangeExtractor(range),
      ]),
    ],
  })
  const allWidths = widths.join()
  useEffect(() => across.measure(), [across, allWidths])

  const shownRows = rows.getVirtualItems()
  const shownColumns = across.getVirtualItems()
  // A row that leaves at one end comes back at the other with new texts: making elements anew costs far more.
  const pool = useRef(1)
  pool.current = Math.max(pool.current, shownRows.length)
  const lastShown = shownRows.at(-1)?.index ?? 0
  const nearEnd = useRef(onNearEnd)
  nearEnd.current = onNearEnd
  const isNearEnd = rowCount > 0 && lastShown >= rowCount - NEAR_END
  useEffect(() => {
    if (isNearEnd) nearEnd.current?.()
  }, [isNearEnd, rowCount])

  const range = toRange(selection)
  const { focus } = selection
  const activeCell = isDrawn(focus, shownRows, shownColumns) ? cellId(id, focus) : undefined
  const go = (next: Selection) => {
    setSelection(next)
    if (next.focus.row !== HEADER) rows.scrollToIndex(next.focus.row)
    across.scrollToIndex(next.focus.column)
  }
  const scrolled = pinned > 0 ? (across.scrollOffset ?? 0) : 0
  const copy = (format: CopyFormat) => {
    const { top, bottom, left, right } = toRange(selection)
    if (top === HEADER || rowCount === 0) return
    const isOne = top === bottom && left === right
    let cut = 0
    const lines = Array.from({ length: bottom - top + 1 }, (_, row) =>
      Array.from({ length: right - left + 1 }, (_cell, column) => {
        const cell = cellAt(top + row, left + column)
        cut += cell.isCut ? 1 : 0
        return cell.text
      }),
    )
    const text =
      isOne && format === 'tsv'
        ? formatCell(lines[0]?.[0] ?? null)
        : copyText(format, {
            columns: columns.slice(left, right + 1),
            rows: lines,
            ...(insertTable !== undefined && { table: insertTable }),
          })
    void navigator.clipboard.writeText(text).then(() => showToast(toCopyNotice(cellCount(range), cut)))
  }
  const act = (what: GridAct) => {
    const column = columns[focus.column]
    const width = widths[focus.column] ?? 0
    const cell = document.getElementById(cellId(id, focus))?.getBoundingClientRect()
    if (what === 'copy') copy('tsv')
    else if (what === 'open') onOpen(focus.row, focus.column)
    else if (what === 'sort') {
      if (column?.canSort) onSort(column.key)
    } else if (what === 'reset') setSelection(selectCell(focus.row, focus.column))
    else if (what === 'menu') {
      const point = { left: cell?.left ?? 0, top: cell?.bottom ?? 0 }
      setMenu(focus.row === HEADER && columnMenu ? { ...point, column: focus.column } : point)
    } else if (column) setWidth(column.key, width + (what === 'narrower' ? -24 : 24))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey, altKey } = event
    const stroke = { key, shiftKey, altKey, isMod: event.ctrlKey || event.metaKey }
    const what = findAction(stroke, focus.row === HEADER)
    if (what) act(what)
    else {
      const page = Math.max(1, Math.floor((box.current?.clientHeight ?? ROW * 10) / ROW) - 2)
      const next = altKey ? null : moveSelection(selection, stroke, { rows: rowCount, columns: columns.length, page })
      if (!next) return
      go(next)
    }
    event.preventDefault()
    event.stopPropagation()
  }
  const onPointerDown = (event: PointerEvent) => {
    const cell = findCell(event.target)
    if (!cell || event.button === 2) {
      if (cell && !isIn(cell, selection)) setSelection(selectCell(cell.row, cell.column))
      return
    }
    if (cell.column < 0)
      setSelection({ anchor: { row: cell.row, column: 0 }, focus: { row: cell.row, column: columns.length - 1 } })
    else
      setSelection((oldSelection) =>
        event.shiftKey ? { ...oldSelection, focus: cell } : selectCell(cell.row, cell.column),
      )
  }
  const onPointerMove = (event: PointerEvent) => {
    if (event.buttons !== 1 || event.pointerType === 'touch') return
    const cell = findCell(event.target)
    if (cell && cell.column >= 0)
      setSelection((oldSelection) =>
        oldSelection.anchor.row === HEADER ? oldSelection : { ...oldSelection, focus: cell },
      )
  }
  const copyItems = (Object.keys(COPY_FORMATS) as CopyFormat[])
    .filter((format) => format !== 'insert' || insertTable !== undefined)
    .map((format) => ({ label: `Copy as ${COPY_FORMATS[format]}`, onSelect: () => copy(format) }))
  const cellItems: MenuItem[][] = [
    [{ label: 'Open cell', onSelect: () => onOpen(focus.row, focus.column) }],
    copyItems,
    ...listRowItems(range, rowMenu),
  ]
  const rest = { id, columns, shown: shownColumns, pinned, scrolled }
  return (
    <div className={styles.frame}>
      <div
        ref={box}
        role="grid"
        aria-label={label}
        aria-rowcount={-1}
        aria-colcount={columns.length + 1}
        aria-multiselectable
        aria-activedescendant={activeCell}
        tabIndex={0}
        className={styles.grid}
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onDoubleClick={(event) => {
          const cell = findCell(event.target)
          if (cell && cell.column >= 0) onOpen(cell.row, cell.column)
        }}
        onContextMenu={(event) => {
          if (!findCell(event.target) || rowCount === 0) return
          event.preventDefault()
          setMenu({ left: event.clientX, top: event.clientY })
        }}
      >
        <div
          role="presentation"
          className={styles.canvas}
          style={{ width: across.getTotalSize(), height: rows.getTotalSize() }}
        >
          <GridHeader
            {...rest}
            sort={sort}
            active={focus.row === HEADER ? focus.column : null}
            width={across.getTotalSize()}
            onSort={(column) => {
              setSelection(selectCell(HEADER, column))
              const key = columns[column]?.key
              if (key !== undefined) onSort(key)
            }}
            onWidth={(column, width) => setWidth(columns[column]?.key ?? '', width)}
            onFit={fit}
            onMenu={columnMenu && ((column, point) => setMenu({ ...point, column }))}
          />
          <div aria-hidden className={styles.lane} style={{ height: rows.getTotalSize() - HEAD }}>
            {shownRows.map((row) => (
              <div
                key={row.index % pool.current}
                data-cell={`${row.index} -1`}
                className={styles.gutter}
                style={{ transform: `translateY(${row.start - HEAD}px)` }}
              >
                {row.index + 1}
              </div>
            ))}
          </div>
          {shownRows.map((row) => (
            <GridRow
              key={row.index % pool.current}
              {...rest}
              index={row.index}
              top={row.start}
              width={across.getTotalSize()}
              cellAt={cellAt}
              from={row.index >= range.top && row.index <= range.bottom ? range.left : -1}
              to={range.right}
              active={row.index === focus.row ? focus.column : -1}
              onOpen={onOpen}
            />
          ))}
        </div>
        {rowCount === 0 && <div className={styles.empty}>{empty}</div>}
      </div>
      <GridFoot count={rowCount === 0 ? 0 : cellCount(range)} items={copyItems}>
        {foot}
      </GridFoot>
      {menu && (
        <ContextMenu
          label={menu.column === undefined ? 'Cells' : (columns[menu.column]?.title ?? 'Column')}
          point={menu}
          groups={menu.column === undefined ? cellItems : listColumnItems(columnMenu, menu.column)}
          onClose={(isFocusBack) => {
            setMenu(null)
            if (isFocusBack) box.current?.focus()
          }}
        />
      )}
    </div>
  )
}

function toCopyNotice(count: number, cut: number) {
  const copied = count === 1 ? 'Cell copied.' : `${count.toLocaleString('en-GB')} cells copied.`
  if (cut === 0) return { tone: 'success' as const, text: copied }
  return {
    tone: 'danger' as const,
    text: `${copied} ${cut} of them are cut: export the result to have all of their text.`,
  }
}

const listColumnItems = (columnMenu: DataGridProps['columnMenu'], column: number) => columnMenu?.(column) ?? []

function listRowItems({ top, bottom }: Range, rowMenu: DataGridProps['rowMenu']): MenuItem[][] {
  const rows = Array.from({ length: bottom - top + 1 }, (_, row) => top + row)
  const items = top === HEADER ? [] : (rowMenu?.(rows) ?? [])
  return items.length > 0 ? [items] : []
}
