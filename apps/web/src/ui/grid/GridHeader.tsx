import type { VirtualItem } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp, EllipsisVertical, Filter } from 'lucide-react'
import type { PointerEvent } from 'react'
import { classNames } from '../class-names.ts'
import type { Sort } from '../data/table-view.ts'
import type { MenuPoint } from '../overlays/ContextMenu.tsx'
import type { GridColumn } from './grid-parts.ts'
import styles from './grid.module.css'

interface GridHeaderProps {
  id: string
  columns: readonly GridColumn[]
  shown: readonly VirtualItem[]
  sort: Sort | null
  active: number | null
  width: number
  onSort: (column: number) => void
  onWidth: (column: number, width: number) => void
  onFit: (column: number) => void
  onMenu: ((column: number, point: MenuPoint) => void) | undefined
  pinned: number
  scrolled: number
}

export function GridHeader(props: GridHeaderProps) {
  const { id, columns, shown, sort, active, width, onSort, onWidth, onFit, onMenu, pinned, scrolled } = props
  return (
    <div role="row" aria-rowindex={1} className={styles.head} style={{ width }}>
      <div role="columnheader" aria-colindex={1} className={styles.corner}>
        <span className="visually-hidden">Row</span>
      </div>
      {shown.map((item) => {
        const column = columns[item.index]
        if (!column) return null
        const direction = sort?.key === column.key ? sort.direction : undefined
        return (
          <div
            key={item.key}
            id={`${id}--1-${item.index}`}
            role="columnheader"
            aria-colindex={item.index + 2}
            aria-sort={direction === undefined ? undefined : direction === 'asc' ? 'ascending' : 'descending'}
            data-active={active === item.index}
            className={classNames(styles.headCell, column.isNumber && styles.number, column.canSort && styles.sortable)}
            data-pinned={item.index < pinned || undefined}
            style={{ left: item.start + (item.index < pinned ? scrolled : 0), width: item.size }}
          >
            <button
              type="button"
              tabIndex={-1}
              title={column.canSort ? `Sort by ${column.title}` : column.title}
              className={styles.headText}
              onClick={() => column.canSort && onSort(item.index)}
            >
              <span className={styles.headTitle}>
                {column.title}
                {direction === 'asc' && <ArrowUp aria-hidden />}
                {direction === 'desc' && <ArrowDown aria-hidden />}
                {column.isFiltered && <Filter aria-label="Filtered" />}
              </span>
              {column.note !== undefined && <span className={styles.headNote}>{column.note}</span>}
            </button>
            {onMenu && (
              <button
                type="button"
                tabIndex={-1}
                aria-label={`Menu of ${column.title}`}
                className={styles.headMenu}
                onClick={(event) => {
                  const { left, bottom } = event.currentTarget.getBoundingClientRect()
                  onMenu(item.index, { left, top: bottom })
                }}
              >
                <EllipsisVertical aria-hidden />
              </button>
            )}
            <span
              aria-hidden
              className={styles.handle}
              onDoubleClick={(event) => {
                event.stopPropagation()
                onFit(item.index)
              }}
              onPointerDown={(event) => drag(event, item.size, (next) => onWidth(item.index, next))}
            />
          </div>
        )
      })}
    </div>
  )
}

function drag(event: PointerEvent<HTMLElement>, width: number, onWidth: (width: number) => void): void {
  event.stopPropagation()
  const handle = event.currentTarget
  const from = event.clientX
  handle.setPointerCapture(event.pointerId)
  const move = (moved: globalThis.PointerEvent) => onWidth(width + moved.clientX - from)
  handle.addEventListener('pointermove', move)
  handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), { once: true })
}
