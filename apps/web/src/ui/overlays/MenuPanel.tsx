import { Check } from 'lucide-react'
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { classNames } from '../class-names.ts'
import { indexByLetter, findNextIndex } from './menu-keys.ts'
import styles from './overlays.module.css'
import type { Align, Box, Side } from './place.ts'
import { useFloating } from './use-floating.ts'

export interface MenuItem {
  label: string
  icon?: ReactNode
  note?: string
  end?: ReactNode
  to?: string
  onSelect?: () => void
  isDisabled?: boolean
  isSelected?: boolean
  isDanger?: boolean
}

export interface MenuContent {
  label: string
  head?: ReactNode
  /** Parted by hairlines. */
  groups: readonly (readonly MenuItem[])[]
  align?: Align
  side?: Side
}

/** The open list of a menu. `onClose` receives whether the focus should go back to where it came from. */
export function MenuPanel({
  id,
  label,
  head,
  groups,
  align = 'start',
  side = 'bottom',
  anchor,
  isInside,
  onClose,
}: MenuContent & {
  id: string
  anchor: () => { getBoundingClientRect: () => Box } | null | undefined
  isInside: (target: Node) => boolean
  onClose: (isFocusBack: boolean) => void
}) {
  const panel = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const items = groups.flat()
  const latest = useRef({ isInside, onClose })
  latest.current = { isInside, onClose }
  useFloating({ isOpen: true, anchor, panel, side, align })

  const rows = () => [...(panel.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])]
  const focusRow = (index: number | undefined) => index !== undefined && rows()[index]?.focus()
  const choose = (item: MenuItem) => {
    if (item.isDisabled) return
    onClose(true)
    item.onSelect?.()
    if (item.to !== undefined) void navigate(item.to)
  }

  useEffect(() => {
    panel.current?.querySelector<HTMLElement>('[role^="menuitem"]:not([aria-disabled])')?.focus()
    const outside = (event: PointerEvent) => {
      const target = event.target as Node
      if (!panel.current?.contains(target) && !latest.current.isInside(target)) latest.current.onClose(false)
    }
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [])

  const onKeyDown = (event: KeyboardEvent) => {
    const at = rows().indexOf(document.activeElement as HTMLElement)
    const next = findNextIndex(
      event.key,
      at,
      items.map((item) => !item.isDisabled),
    )
    if (next !== undefined) {
      event.preventDefault()
      focusRow(next)
    } else if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      onClose(true)
    } else if (event.key === 'Tab') {
      onClose(false)
    } else if (event.key.length === 1 && /\S/.test(event.key)) {
      focusRow(
        indexByLetter(
          event.key,
          at,
          items.map((item) => item.label),
        ),
      )
    }
  }

  return (
    <div
      ref={panel}
      id={id}
      role="menu"
      aria-label={label}
      popover="manual"
      className={styles.menu}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      {head && <div className={styles.menuHead}>{head}</div>}
      {groups.map((group, at) => (
        <div key={group[0]?.label ?? at} role="group">
          {at > 0 && <hr className={styles.divider} />}
          {group.map((item) => (
            <MenuRow key={item.label} item={item} onChoose={choose} />
          ))}
        </div>
      ))}
    </div>
  )
}

function MenuRow({ item, onChoose }: { item: MenuItem; onChoose: (item: MenuItem) => void }) {
  const isChoice = item.isSelected !== undefined
  return (
    <button
      type="button"
      role={isChoice ? 'menuitemradio' : 'menuitem'}
      aria-checked={isChoice ? item.isSelected : undefined}
      aria-disabled={item.isDisabled || undefined}
      tabIndex={-1}
      className={classNames(styles.item, item.isDanger && styles.itemDanger)}
      onClick={() => onChoose(item)}
    >
      {item.icon}
      <span className={styles.itemText}>
        {item.label}
        {item.note && <span className={styles.itemNote}>{item.note}</span>}
      </span>
      {item.end}
      {item.isSelected && <Check aria-hidden />}
    </button>
  )
}
