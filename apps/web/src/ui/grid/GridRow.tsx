import type { VirtualItem } from '@tanstack/react-virtual'
import { memo } from 'react'
import { classNames } from '../class-names.ts'
import type { GridCell, GridColumn } from './grid-parts.ts'
import styles from './grid.module.css'

const LONG = 60
const SHOWN = 400

interface GridRowProps {
  id: string
  columns: readonly GridColumn[]
  shown: readonly VirtualItem[]
  index: number
  top: number
  width: number
  cellAt: (row: number, column: number) => GridCell
  /** First chosen column, or -1; `to` is the last. */
  from: number
  to: number
  active: number
  onOpen: (row: number, column: number) => void
  /** How many columns stay in sight, and how far the others are scrolled. */
  pinned: number
  scrolled: number
}

/** Drawn again only when something in it changed: while one scrolls, most rows stay as they are. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { id, columns, shown, index, top, width, cellAt, from, to, active, onOpen, pinned, scrolled } = props
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={styles.row}
      style={{ transform: `translateY(${top}px)`, width }}
    >
      {shown.map((item) => {
        const { text, isCut = false, tone, blank = 'NULL' } = cellAt(index, item.index)
        const isPinned = item.index < pinned
        const isLong = isCut || (text !== null && (text.length > LONG || text.startsWith('{') || text.startsWith('[')))
        return (
          <div
            key={item.key}
            id={`${id}-${index}-${item.index}`}
            role="gridcell"
            aria-colindex={item.index + 2}
            aria-selected={from >= 0 && item.index >= from && item.index <= to}
            data-cell={`${index} ${item.index}`}
            data-active={active === item.index}
            data-pinned={isPinned || undefined}
            data-tone={tone}
            className={classNames(
              styles.cell,
              columns[item.index]?.isNumber && styles.number,
              text === null && styles.null,
            )}
            style={{ left: item.start + (isPinned ? scrolled : 0), width: item.size }}
          >
            {text === null ? blank : toShownText(text)}
            {isLong && (
              <span
                aria-hidden
                title="Open"
                className={styles.open}
                onClick={() => onOpen(index, item.index)}
                onPointerDown={(event) => event.stopPropagation()}
              />
            )}
          </div>
        )
      })}
    </div>
  )
})

/** Line breaks would be swallowed, and a text of megabytes would be laid out in full though a line of it is seen. */
function toShownText(text: string): string {
  return text.slice(0, SHOWN).replaceAll(/\r\n?|\n/g, '↵')
}
