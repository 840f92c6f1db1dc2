import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import styles from './layout.module.css'

/** `narrow` for settings, `normal` for lists, `full` for data. */
export function Page({ width = 'normal', children }: { width?: 'narrow' | 'normal' | 'full'; children: ReactNode }) {
  return <div className={classNames(styles.page, width !== 'normal' && styles[width])}>{children}</div>
}

export function PageHeader({
  title,
  subtitle,
  actions,
}: {
  title: ReactNode
  subtitle?: ReactNode
  actions?: ReactNode
}) {
  return (
    <header className={styles.head}>
      <div className={styles.headText}>
        <h1>{title}</h1>
        {subtitle && <p>{subtitle}</p>}
      </div>
      {actions && <div className={styles.headActions}>{actions}</div>}
    </header>
  )
}

export function Stack({ children }: { children: ReactNode }) {
  return <div className={styles.stack}>{children}</div>
}

/** A titled part of a settings page: words on the left, controls on the right. */
export function Section({ title, subtitle, children }: { title: string; subtitle?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <div className={styles.sectionText}>
        <h2>{title}</h2>
        {subtitle && <p>{subtitle}</p>}
      </div>
      <div>{children}</div>
    </section>
  )
}
