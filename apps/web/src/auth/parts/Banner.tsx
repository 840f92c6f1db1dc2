import type { ReactNode } from 'react'
import type { Notice } from '../../app/session/handover.ts'
import { ToneIcon } from './ToneIcon.tsx'
import styles from './parts.module.css'

interface BannerProps {
  tone: Notice['tone']
  title: string
  children?: ReactNode
}

export function Banner({ tone, title, children }: BannerProps) {
  return (
    <div className={`${styles.banner} ${styles[`${tone}Banner`]}`} role={tone === 'error' ? 'alert' : 'status'}>
      <ToneIcon tone={tone} />
      <div>
        <p className={styles.bannerTitle}>{title}</p>
        {children && <p className={styles.bannerText}>{children}</p>}
      </div>
    </div>
  )
}
