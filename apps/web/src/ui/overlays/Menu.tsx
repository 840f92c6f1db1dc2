import { Check } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { classNames } from '../class-names.ts'
import { indexByLetter, nextIndex } from './menu-keys.ts'
import styles from './overlays.module.css'
import type { Align, Side } from './place.ts'
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

export interface MenuTrigger {
  'aria-haspopup': 'menu'
  'aria-expanded': boolean
  'aria-controls': string | undefined
  onClick: () => void
  onKeyDown: (event: KeyboardEvent) => void
}

/** `groups` are parted by hairlines. The trigger is any button that spreads the props it is given. */
export function Menu({
  label,
  head,
  groups,
  align = 'start',
  side = 'bottom',
  trigger,
}: {
  label: string
  head?: ReactNode
  groups: readonly (readonly MenuItem[])[]
  align?: Align
  side?: Side
  trigger: (props: MenuTrigger) => ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const wrap = useRef<HTMLSpanElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const items = groups.flat()
  useFloating({ isOpen, anchor: () => wrap.current?.firstElementChild, panel, side, align })

  const rows = () => [...(panel.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])]
  const focusRow = (index: number | undefined) => index !== undefined && rows()[index]?.focus()
  const close = () => {
    setOpen(false)
    const button = wrap.current?.querySelector<HTMLElement>('[aria-haspopup]')
    button?.focus()
  }
  const choose = (item: MenuItem) => {
    if (item.isDisabled) return
    close()
    item.onSelect?.()
    if (item.to !== undefined) void navigate(item.to)
  }

  useEffect(() => {
    if (!isOpen) return undefined
    panel.current?.querySelector<HTMLElement>('[role^="menuitem"]:not([aria-disabled])')?.focus()
    const outside = (event: PointerEvent) => !wrap.current?.contains(event.target as Node) && setOpen(false)
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [isOpen])

  const onKeyDown = (event: KeyboardEvent) => {
    const at = rows().indexOf(document.activeElement as HTMLElement)
    const next = nextIndex(
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
      close()
    } else if (event.key === 'Tab') {
      setOpen(false)
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
    <span ref={wrap} className={styles.contents}>
      {trigger({
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        'aria-controls': isOpen ? id : undefined,
        onClick: () => setOpen(!isOpen),
        onKeyDown: (event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setOpen(true)
        },
      })}
      {isOpen && (
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
      )}
    </span>
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
