import { cloneElement, useEffect, useId, useRef, useState, type ReactElement, type ReactNode } from 'react'
import type { Side } from './place.ts'
import styles from './overlays.module.css'
import { useFloating } from './use-floating.ts'

const DELAY_MS = 400

/** `isLabel`: the child already carries the text as its name, so it must not be read out twice. */
export function Tooltip({
  text,
  hint,
  side = 'bottom',
  isLabel = false,
  children,
}: {
  text: ReactNode
  hint?: ReactNode
  side?: Side
  isLabel?: boolean
  children: ReactElement<{ 'aria-describedby'?: string }>
}) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const wrap = useRef<HTMLSpanElement>(null)
  const panel = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useFloating({ isOpen, anchor: () => wrap.current?.firstElementChild, panel, side, align: 'center', gap: 6 })
  useEffect(() => () => clearTimeout(timer.current), [])

  const close = () => {
    clearTimeout(timer.current)
    setOpen(false)
  }
  const openSoon = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOpen(true), DELAY_MS)
  }
  return (
    <span
      ref={wrap}
      className={styles.contents}
      onPointerEnter={(event) => event.pointerType === 'mouse' && openSoon()}
      onPointerLeave={close}
      onPointerDown={close}
      onFocus={(event) => event.target.matches(':focus-visible') && setOpen(true)}
      onBlur={close}
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      {isOpen && !isLabel ? cloneElement(children, { 'aria-describedby': id }) : children}
      {isOpen && (
        <span ref={panel} id={id} role="tooltip" popover="manual" className={styles.tooltip}>
          {text}
          {hint}
        </span>
      )}
    </span>
  )
}
