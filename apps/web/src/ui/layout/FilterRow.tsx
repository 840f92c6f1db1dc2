import type { ReactNode } from 'react'
import styles from './filter-row.module.css'

/** What narrows the list below it: the search field first, which takes the room that is left. */
export function FilterRow({ children }: { children: ReactNode }) {
  return <div className={styles.filters}>{children}</div>
}
