import type { MouseEvent, ReactNode } from 'react'
import { navigate } from '../auth-location.ts'
import styles from './parts.module.css'

interface LinkProps {
  to: string
  children: ReactNode
  state?: unknown
  isQuiet?: boolean
}

export function Link({ to, children, state, isQuiet = false }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    navigate(to, { state })
  }
  return (
    <a href={to} className={isQuiet ? styles.quietLink : styles.link} onClick={follow}>
      {children}
    </a>
  )
}
