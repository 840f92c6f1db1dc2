import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../actions/IconButton.tsx'
import { classNames } from '../class-names.ts'
import styles from './feedback.module.css'

export type BannerTone = 'info' | 'success' | 'warning' | 'danger'

const ICONS: Record<BannerTone, ReactNode> = {
  info: <Info aria-hidden />,
  success: <CircleCheck aria-hidden />,
  warning: <TriangleAlert aria-hidden />,
  danger: <CircleAlert aria-hidden />,
}

/** A message that stays where it belongs on the page. */
export function Banner({
  tone = 'info',
  title,
  action,
  onDismiss,
  children,
}: {
  tone?: BannerTone
  title?: string
  action?: ReactNode
  onDismiss?: () => void
  children?: ReactNode
}) {
  return (
    <div className={classNames(styles.banner, styles[tone])} role={tone === 'danger' ? 'alert' : 'status'}>
      {ICONS[tone]}
      <div className={styles.bannerText}>
        {title && <strong>{title}</strong>}
        {children}
      </div>
      {(action || onDismiss) && (
        <div className={styles.bannerEnd}>
          {action}
          {onDismiss && <IconButton label="Dismiss" icon={<X aria-hidden />} onClick={onDismiss} />}
        </div>
      )}
    </div>
  )
}
