import type { ReactNode } from 'react'
import styles from './feedback.module.css'

export type Tone = 'neutral' | 'success' | 'warning' | 'danger' | 'info' | 'accent'

/** A dot and a word: the colour alone never carries the meaning. */
export function StatusDot({
  tone = 'neutral',
  isBusy = false,
  children,
}: {
  tone?: Tone
  isBusy?: boolean
  children: ReactNode
}) {
  return (
    <span className={styles.status} data-tone={tone} data-busy={isBusy}>
      {children}
    </span>
  )
}

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {children}
    </span>
  )
}
