import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { MenuPanel, type MenuContent } from './MenuPanel.tsx'
import styles from './overlays.module.css'

export type { MenuItem } from './MenuPanel.tsx'

export interface MenuTrigger {
  'aria-haspopup': 'menu'
  'aria-expanded': boolean
  'aria-controls': string | undefined
  onClick: () => void
  onKeyDown: (event: KeyboardEvent) => void
}

/** The trigger is any button that spreads the props it is given. */
export function Menu({ trigger, ...content }: MenuContent & { trigger: (props: MenuTrigger) => ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const wrap = useRef<HTMLSpanElement>(null)
  // Its wrappers, such as a tooltip's, have no place of their own.
  const button = () => wrap.current?.querySelector<HTMLElement>('[aria-haspopup]')
  const close = (isFocusBack: boolean) => {
    setOpen(false)
    if (isFocusBack) button()?.focus()
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
        <MenuPanel
          {...content}
          id={id}
          anchor={button}
          isInside={(target) => wrap.current?.contains(target) ?? false}
          onClose={close}
        />
      )}
    </span>
  )
}
