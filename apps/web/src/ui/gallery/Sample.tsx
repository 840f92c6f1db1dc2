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
      <div className={styles.name}>{title}</div>
      <div className={isColumn ? styles.column : styles.row}>{children}</div>
    </div>
  )
}
