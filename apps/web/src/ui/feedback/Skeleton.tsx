import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import styles from './feedback.module.css'

/** One grey bar in the size of what will stand there. */
export function Skeleton({ width = '100%', height = 12 }: { width?: number | string; height?: number | string }) {
  return <span className={styles.skeleton} style={{ width, height }} aria-hidden />
}

/** Holds skeletons back for 150 ms, so that quick answers never flash grey. */
export function Loading({
  label = 'Loading',
  className,
  children,
}: {
  label?: string
  className?: string | undefined
  children: ReactNode
}) {
  return (
    <div role="status" aria-busy="true" aria-label={label} className={classNames(styles.late, className)}>
      {children}
    </div>
  )
}
