import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import styles from './layout.module.css'

/** `isFlush` lets a table or list reach the card's edges. */
export function Card({
  title,
  subtitle,
  actions,
  footer,
  isFlush = false,
  children,
}: {
  title?: ReactNode
  subtitle?: ReactNode
  actions?: ReactNode
  footer?: ReactNode
  isFlush?: boolean
  children?: ReactNode
}) {
  return (
    <section className={styles.card}>
      {(title || actions) && (
        <header className={styles.cardHead}>
          <div>
            <h2>{title}</h2>
            {subtitle && <p>{subtitle}</p>}
          </div>
          {actions}
        </header>
      )}
      {children && (
        <div className={classNames(isFlush ? Boolean(title) && styles.flush : styles.cardBody)}>{children}</div>
      )}
      {footer && <footer className={styles.cardFoot}>{footer}</footer>}
    </section>
  )
}
