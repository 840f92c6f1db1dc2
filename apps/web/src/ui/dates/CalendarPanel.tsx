import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { IconButton } from '../actions/IconButton.tsx'
import { useFloating } from '../overlays/use-floating.ts'
import { type DayLimits, addMonths, clampDay, findDayByKey, isWithin, listWeeks } from './calendar.ts'
import styles from './dates.module.css'

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

const formatDay = (day: string, options: Intl.DateTimeFormatOptions) =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en', { timeZone: 'UTC', ...options })

/** A month to choose a day from. `onClose` receives whether the focus should go back to where it came from. */
export default function CalendarPanel({
  value,
  today,
  limits,
  anchor,
  onChoose,
  onClose,
}: {
  value: string
  today: string
  limits: DayLimits
  anchor: () => HTMLElement | null | undefined
  onChoose: (day: string) => void
  onClose: (isFocusBack: boolean) => void
}) {
  const [day, setDay] = useState(clampDay(value || today, limits))
  const panel = useRef<HTMLDivElement>(null)
  const latest = useRef({ anchor, onClose })
  latest.current = { anchor, onClose }
  useFloating({ isOpen: true, anchor, panel, align: 'end' })
  const isMoved = useRef(true)
  useEffect(() => {
    if (isMoved.current) panel.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    isMoved.current = false
  }, [day])
  useEffect(() => {
    const element = panel.current
    const outside = (event: PointerEvent) => {
      const target = event.target as Node
      if (element?.contains(target) || latest.current.anchor()?.contains(target)) return
      latest.current.onClose(false)
    }
    // A dialog around the panel stays open.
    const escape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      latest.current.onClose(true)
    }
    document.addEventListener('pointerdown', outside)
    element?.addEventListener('keydown', escape)
    return () => {
      document.removeEventListener('pointerdown', outside)
      element?.removeEventListener('keydown', escape)
    }
  }, [])
  const onGridKey = (event: { key: string; preventDefault: () => void }) => {
    const next = findDayByKey(event.key, day)
    if (next === undefined) return
    event.preventDefault()
    isMoved.current = true
    // A day that can't be chosen takes no focus: the keys would be lost with it.
    setDay(clampDay(next, limits))
  }
  return (
    <div ref={panel} role="dialog" aria-label="Choose a day" popover="manual" tabIndex={-1} className={styles.panel}>
      <div className={styles.head}>
        <IconButton
          size="sm"
          label="Previous month"
          icon={<ChevronLeft aria-hidden />}
          onClick={() => setDay(clampDay(addMonths(day, -1), limits))}
        />
        <span aria-live="polite">{formatDay(day, { month: 'long', year: 'numeric' })}</span>
        <IconButton
          size="sm"
          label="Next month"
          icon={<ChevronRight aria-hidden />}
          onClick={() => setDay(clampDay(addMonths(day, 1), limits))}
        />
      </div>
      <div role="grid" tabIndex={-1} aria-label="Days" onKeyDown={onGridKey}>
        <div role="row" className={styles.week}>
          {WEEKDAYS.map((name) => (
            <span key={name} role="columnheader" aria-label={name} className={styles.weekday}>
              {name.slice(0, 2)}
            </span>
          ))}
        </div>
        {listWeeks(day).map((week) => (
          <div key={week[0]} role="row" className={styles.week}>
            {week.map((item) => (
              <span key={item} role="gridcell" aria-selected={item === value} className={styles.cell}>
                <button
                  type="button"
                  className={styles.day}
                  tabIndex={item === day ? 0 : -1}
                  aria-label={formatDay(item, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })}
                  aria-current={item === today ? 'date' : undefined}
                  data-outside={item.slice(0, 7) !== day.slice(0, 7)}
                  disabled={!isWithin(item, limits)}
                  onClick={() => onChoose(item)}
                >
                  {Number(item.slice(8))}
                </button>
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}
