import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import { useVirtual } from '../../../ui/grid/use-virtual.ts'
import { ContextMenu, type MenuPoint } from '../../../ui/overlays/ContextMenu.tsx'
import type { MenuItem } from '../../../ui/overlays/MenuPanel.tsx'
import { isBroken } from '../database-state.ts'
import { useNodeMenus } from '../table-menu.tsx'
import { useAddress, useExplorer } from '../use-explorer.ts'
import styles from './tree.module.css'
import { findTyped, nodeKey, treeStep, type TreeRow } from './tree-rows.ts'
import { TreeLine } from './TreeLine.tsx'

const LINE = 28
const TYPED_MS = 700

interface TreeProps {
  rows: readonly TreeRow[]
  onToggle: (key: string) => void
  onMore: (of: string) => void
  onRetry: () => void
}

/** Virtualized. */
export function Tree({ rows, onToggle, onMore, onRetry }: TreeProps) {
  const containerRef = useRef<HTMLDivElement>(null)
  const id = useId()
  const navigate = useNavigate()
  const { paths } = useExplorer()
  const menus = useNodeMenus()
  const address = useAddress()
  const current = nodeKey(...[address.database, address.schema, address.table].filter((name) => name !== undefined))
  const [active, setActive] = useState<string | null>(null)
  const [menu, setMenu] = useState<{ point: MenuPoint; label: string; groups: MenuItem[][] } | null>(null)
  const typedTextRef = useRef({ text: '', until: 0 })
  const virtual = useVirtual({
    count: rows.length,
    getScrollElement: () => containerRef.current,
    estimateSize: () => LINE,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 12,
    initialRect: { width: 260, height: 600 },
  })
  const lines = virtual.getVirtualItems()
  const index = rows.findIndex((row) => row.key === (active ?? current))
  const position = Math.max(0, index)

  const waiting = lines.map((line) => rows[line.index]).find((row) => row?.kind === 'more')
  const waitingFor = waiting?.kind === 'more' ? waiting.of : undefined
  const latest = useRef(onMore)
  latest.current = onMore
  useEffect(() => {
    if (waitingFor !== undefined) latest.current(waitingFor)
  }, [waitingFor, rows.length])
  useEffect(() => setActive(null), [current])

  const move = (to: number) => {
    const row = rows[to]
    if (!row) return
    setActive(row.key)
    virtual.scrollToIndex(to)
  }
  const getPath = (row: TreeRow): string | undefined => {
    if (row.kind === 'database')
      return isBroken(row.database) ? paths.connection(row.address.database) : paths.database(row.address.database)
    if (row.kind === 'schema') return paths.schema(row.address)
    return row.kind === 'table' ? paths.table(row.address) : undefined
  }
  const openRow = (row: TreeRow) => {
    const path = getPath(row)
    if (row.kind === 'note' && row.isError) onRetry()
    if (path !== undefined) void navigate(path)
  }
  const getMenuGroups = (row: TreeRow): MenuItem[][] => {
    if (row.kind === 'database') return menus.databaseMenu(row.address.database)
    if (row.kind === 'schema') return menus.schemaMenu(row.address)
    return row.kind === 'table' ? menus.tableMenu(row.address, row.table.kind) : []
  }
  const openMenu = (row: TreeRow, point: MenuPoint) => {
    const groups = getMenuGroups(row)
    if (groups.length === 0) return
    setActive(row.key)
    setMenu({ point, label: `Actions for ${row.label}`, groups })
  }
  const typeAhead = (letter: string, now: number) => {
    const text = now < typedTextRef.current.until ? typedTextRef.current.text + letter : letter
    typedTextRef.current = { text, until: now + TYPED_MS }
    const next = findTyped(rows, position, text)
    if (next !== undefined) move(next)
  }
  const act = (row: TreeRow, event: KeyboardEvent): boolean => {
    if (event.key === 'Enter') openRow(row)
    else if (event.key === ' ' && 'isOpen' in row) onToggle(row.key)
    else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      const line = document.getElementById(`${id}-${position}`)?.getBoundingClientRect()
      openMenu(row, { left: (line?.left ?? 0) + 40, top: line?.bottom ?? 0 })
    } else if (event.key.length === 1 && /\S/.test(event.key)) typeAhead(event.key, event.timeStamp)
    else return false
    return true
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[position]
    if (event.ctrlKey || event.metaKey || event.altKey || !row) return
    const step = treeStep(rows, position, event.key)
    if (step) typedTextRef.current.until = 0
    if (step && 'to' in step) move(step.to)
    else if (step) onToggle(row.key)
    else if (!act(row, event)) return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <>
      <div
        ref={containerRef}
        role="tree"
        aria-label="Databases, schemas and tables"
        aria-activedescendant={rows.length > 0 ? `${id}-${position}` : undefined}
        tabIndex={0}
        className={styles.tree}
        onKeyDown={onKeyDown}
      >
        <div role="presentation" style={{ height: virtual.getTotalSize() }} className={styles.space}>
          {lines.map((line) => {
            const row = rows[line.index]
            if (!row) return null
            return (
              <TreeLine
                key={line.key}
                id={`${id}-${line.index}`}
                row={row}
                top={line.start}
                to={getPath(row)}
                isActive={line.index === position}
                isCurrent={row.key === current}
                onToggle={() => {
                  setActive(row.key)
                  onToggle(row.key)
                }}
                onPoint={() => setActive(row.key)}
                onRetry={onRetry}
                onMenu={(point) => openMenu(row, point)}
              />
            )
          })}
        </div>
      </div>
      {menu && (
        <ContextMenu
          {...menu}
          onClose={(isFocusBack) => {
            setMenu(null)
            if (isFocusBack) containerRef.current?.focus()
          }}
        />
      )}
    </>
  )
}
