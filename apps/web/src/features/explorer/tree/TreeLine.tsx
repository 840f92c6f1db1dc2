import { ChevronRight, EllipsisVertical } from 'lucide-react'
import { Link } from 'react-router'
import { shortCount } from '../../../ui/data/amounts.ts'
import type { MenuPoint } from '../../../ui/overlays/ContextMenu.tsx'
import { StatusDot } from '../../../ui/feedback/Status.tsx'
import { DATABASE_STATES } from '../database-state.ts'
import { KindIcon } from '../KindIcon.tsx'
import { LabelDots } from '../labels/LabelMarks.tsx'
import styles from './tree.module.css'
import type { TreeRow } from './tree-rows.ts'

interface TreeLineProps {
  id: string
  row: TreeRow
  top: number
  to: string | undefined
  isActive: boolean
  isCurrent: boolean
  onToggle: () => void
  onPoint: () => void
  onRetry: () => void
  onMenu: (point: MenuPoint) => void
}

export function TreeLine(props: TreeLineProps) {
  const { id, row, top, to, isActive, isCurrent, onToggle, onPoint, onRetry, onMenu } = props
  const canFold = 'isOpen' in row
  return (
    <div
      id={id}
      role="treeitem"
      aria-level={row.level}
      aria-expanded={canFold ? row.isOpen : undefined}
      aria-selected={isCurrent}
      data-active={isActive}
      className={styles.line}
      style={{ transform: `translateY(${top}px)`, paddingLeft: 8 + (row.level - 1) * 16 }}
      onPointerDown={onPoint}
      onContextMenu={(event) => {
        event.preventDefault()
        onMenu({ left: event.clientX, top: event.clientY })
      }}
    >
      {canFold ? (
        <span
          aria-hidden
          className={styles.fold}
          data-open={row.isOpen}
          onClick={(event) => {
            event.stopPropagation()
            onToggle()
          }}
        >
          <ChevronRight />
        </span>
      ) : (
        <span className={styles.fold} />
      )}
      {to === undefined ? (
        <Note row={row} onRetry={onRetry} />
      ) : (
        <Link to={to} tabIndex={-1} className={styles.name} title={row.label}>
          <KindIcon
            isSilent
            kind={row.kind === 'table' ? row.table.kind : row.kind === 'schema' ? 'schema' : 'database'}
          />
          <span className={styles.text}>{row.label}</span>
          {row.kind === 'database' && row.database.state !== 'online' && (
            <span className={styles.state}>
              <StatusDot tone={DATABASE_STATES[row.database.state].tone}>
                {DATABASE_STATES[row.database.state].text}
              </StatusDot>
            </span>
          )}
        </Link>
      )}
      {row.kind === 'table' && (
        <>
          <LabelDots labels={row.table.labels} />
          {row.table.rows_estimate !== null && (
            <span aria-hidden className={styles.count} title={`About ${shortCount(row.table.rows_estimate)} rows`}>
              {shortCount(row.table.rows_estimate)}
            </span>
          )}
        </>
      )}
      {to !== undefined && (
        <span
          aria-hidden
          className={styles.more}
          onClick={(event) => {
            event.stopPropagation()
            const { left, bottom } = event.currentTarget.getBoundingClientRect()
            onMenu({ left, top: bottom })
          }}
        >
          <EllipsisVertical />
        </span>
      )}
    </div>
  )
}

function Note({ row, onRetry }: { row: TreeRow; onRetry: () => void }) {
  if (row.kind !== 'note' || !row.isError) return <span className={styles.note}>{row.label}</span>
  return (
    <button type="button" tabIndex={-1} className={styles.note} data-error title={row.label} onClick={onRetry}>
      {row.label}
    </button>
  )
}
