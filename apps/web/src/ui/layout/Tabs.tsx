import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { NavLink, useLocation } from 'react-router'
import { classNames } from '../class-names.ts'
import { findNextIndex } from '../overlays/menu-keys.ts'
import styles from './layout.module.css'

export interface Tab {
  value: string
  label: string
  content: ReactNode
}

/** Tabs whose place is the address: each one is a link, so back, reload and sharing work. */
export function LinkTabs({ label, tabs }: { label: string; tabs: readonly { label: string; to: string }[] }) {
  const strip = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // On a phone the tab that is open may lie outside of the strip.
  useEffect(() => {
    const tab = strip.current?.querySelector('[aria-current="page"]')
    tab?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
  }, [pathname])
  return (
    <nav ref={strip} aria-label={label} className={styles.tabs}>
      {tabs.map((tab) => (
        <NavLink key={tab.to} to={tab.to} replace end className={classNames(styles.tab)}>
          {tab.label}
        </NavLink>
      ))}
    </nav>
  )
}

/** Tabs inside one page or dialog. Arrow keys move between them. */
export function Tabs({
  label,
  tabs,
  value,
  onChange,
}: {
  label: string
  tabs: readonly Tab[]
  value: string
  onChange: (value: string) => void
}) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const current = tabs.findIndex((tab) => tab.value === value)
  // On a phone the tab that is open may lie outside of the strip.
  useEffect(() => {
    const tab = list.current?.querySelector('[aria-selected="true"]')
    tab?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
  }, [value])
  const onKeyDown = (event: KeyboardEvent) => {
    const key = event.key === 'ArrowRight' ? 'ArrowDown' : event.key === 'ArrowLeft' ? 'ArrowUp' : event.key
    const next = findNextIndex(
      key,
      current,
      tabs.map(() => true),
    )
    const tab = next === undefined ? undefined : tabs[next]
    if (!tab || event.key === 'ArrowDown' || event.key === 'ArrowUp') return
    event.preventDefault()
    onChange(tab.value)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next ?? 0]?.focus()
  }
  return (
    <div>
      <div ref={list} role="tablist" aria-label={label} className={styles.tabs} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab.value === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.value === value ? 0 : -1}
            className={styles.tab}
            onClick={() => onChange(tab.value)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>
        {tabs[current]?.content}
      </div>
    </div>
  )
}
