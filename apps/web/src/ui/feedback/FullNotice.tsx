import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import type { Tone } from './Status.tsx'
import styles from './full-notice.module.css'

/** A page that says one thing and offers what to do next. */
export function FullNotice({
  icon,
  tone = 'neutral',
  title,
  actions,
  children,
}: {
  icon: ReactNode
  tone?: Tone
  title: string
  actions?: ReactNode
  children?: ReactNode
}) {
  return (
    <div className={classNames(styles.notice)}>
      <span className={styles.icon} data-tone={tone} aria-hidden>
        {icon}
      </span>
      <h1>{title}</h1>
      <div className={styles.text}>{children}</div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}
