import type { ReactNode } from 'react'
import styles from './gallery.module.css'

export function Sample({
  title,
  isColumn = false,
  children,
}: {
  title: string
  isColumn?: boolean
  children: ReactNode
}) {
  return (
    <div className={styles.sample}>
      <h3>{title}</h3>
      <div className={isColumn ? styles.column : styles.row}>{children}</div>
    </div>
  )
}
