import { Bell } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { IconButton } from '../../ui/actions/IconButton.tsx'
import { formatCount } from '../../ui/data/amounts.ts'
import styles from './notifications.module.css'
import { useNotifications } from './notifications.queries.ts'

const NotificationsPanel = lazy(() => import('./NotificationsPanel.tsx'))
const MAX_SHOWN = 9

export function NotificationBell() {
  const [isOpen, setOpen] = useState(false)
  const unread = useNotifications().data?.unread ?? 0
  return (
    <span className={styles.bell}>
      <IconButton
        label={unread === 0 ? 'Notifications' : `Notifications, ${formatCount(unread, 'unread', 'unread')}`}
        icon={<Bell aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      {unread > 0 && (
        <span className={styles.badge} aria-hidden>
          {unread > MAX_SHOWN ? `${MAX_SHOWN}+` : unread}
        </span>
      )}
      {isOpen && (
        <Suspense>
          <NotificationsPanel onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </span>
  )
}
