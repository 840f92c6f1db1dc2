import type { ReactNode } from 'react'
import { PlatformIcon } from '../../../connecting/PlatformIcon.tsx'
import styles from './start.module.css'

export function PanelTitle({ icon, children }: { icon?: string | undefined; children: ReactNode }) {
  return (
    <span className={styles.title}>
      {icon !== undefined && <PlatformIcon icon={icon} />}
      <span>{children}</span>
    </span>
  )
}
