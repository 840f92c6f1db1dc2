import type { ReactNode } from 'react'
import styles from './feedback.module.css'

/** A list with nothing in it yet: says what belongs here and offers the first step. */
export function EmptyState({
  icon,
  picture,
  title,
  subtitle,
  action,
}: {
  icon?: ReactNode
  /** Wider than an icon, so it stands without a frame. */
  picture?: ReactNode
  title: string
  subtitle?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className={styles.empty}>
      {picture ? (
        <span className={styles.emptyPicture} aria-hidden>
          {picture}
        </span>
      ) : (
        <span className={styles.emptyIcon} aria-hidden>
          {icon}
        </span>
      )}
      <h2>{title}</h2>
      {subtitle && <p>{subtitle}</p>}
      {action && <div className={styles.emptyActions}>{action}</div>}
    </div>
  )
}
