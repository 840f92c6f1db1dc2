import type { Digest, Notification, Notifications } from '@trellis/contract/notifications/notifications.endpoints'
import {
  AtSign,
  Bell,
  CalendarClock,
  CircleAlert,
  Columns3,
  Coins,
  Download,
  HardDrive,
  Mail,
  Unplug,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Button } from '../../ui/actions/Button.tsx'
import { DateTime } from '../../ui/data/DateTime.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorPanel } from '../../ui/feedback/ErrorPanel.tsx'
import { Loading, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { Select } from '../../ui/forms/Select.tsx'
import { SidePanel } from '../../ui/overlays/SidePanel.tsx'
import styles from './notifications.module.css'
import { useNotifications, useMarkNotificationsRead, useUpdateDigest } from './notifications.queries.ts'

const ICONS: Record<Notification['kind'], ReactNode> = {
  run_failed: <CircleAlert aria-hidden />,
  invited: <Mail aria-hidden />,
  storage: <HardDrive aria-hidden />,
  credits: <Coins aria-hidden />,
  schedules: <CalendarClock aria-hidden />,
  columns_changed: <Columns3 aria-hidden />,
  slot_dropped: <Unplug aria-hidden />,
  export_finished: <Download aria-hidden />,
  export_failed: <CircleAlert aria-hidden />,
  mention: <AtSign aria-hidden />,
}

const DIGESTS: { value: Digest; label: string }[] = [
  { value: 'off', label: 'Off' },
  { value: 'daily', label: 'Every morning' },
  { value: 'weekly', label: 'Every Monday' },
]

export default function NotificationsPanel({ onClose }: { onClose: () => void }) {
  const notificationsQuery = useNotifications()
  return (
    <SidePanel title="Notifications" onClose={onClose}>
      {notificationsQuery.data ? (
        <List notifications={notificationsQuery.data} onClose={onClose} />
      ) : notificationsQuery.isError ? (
        <ErrorPanel
          title="Notifications could not be loaded"
          detail={notificationsQuery.error.message}
          reference={notificationsQuery.error.requestId}
          isRetrying={notificationsQuery.isFetching}
          onRetry={() => void notificationsQuery.refetch()}
        />
      ) : (
        <Loading label="Loading notifications">
          <Skeleton height={48} />
        </Loading>
      )}
    </SidePanel>
  )
}

function List({ notifications, onClose }: { notifications: Notifications; onClose: () => void }) {
  const { items, unread, digest } = notifications
  const read = useMarkNotificationsRead()
  const update = useUpdateDigest()
  return (
    <div className={styles.panel}>
      {items.length === 0 ? (
        <EmptyState
          icon={<Bell />}
          title="Nothing new"
          subtitle="Failed runs, invites, mentions, finished exports, full storage and used-up credits are shown here."
        />
      ) : (
        <>
          <div className={styles.head}>
            <Button size="sm" disabled={unread === 0} onClick={() => read.mutate({ body: {} })}>
              Mark all as read
            </Button>
          </div>
          <ul className={styles.list}>
            {items.map((item) => (
              <li key={item.id} data-unread={!item.is_read}>
                <span className={styles.icon}>{ICONS[item.kind]}</span>
                <Link
                  to={item.path}
                  onClick={() => {
                    if (!item.is_read) read.mutate({ body: { ids: [item.id] } })
                    onClose()
                  }}
                >
                  {item.title}
                  {item.count > 1 && <span className={styles.count}>{` ${item.count} ×`}</span>}
                </Link>
                <p>{item.detail}</p>
                <span className={styles.when}>
                  {!item.is_read && <span className={styles.unread}>Unread</span>}
                  <DateTime value={item.at} format="recent" />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      <Select
        label="E-mail me a digest of unread notifications"
        options={DIGESTS}
        value={digest}
        onChange={(event) => update.mutate({ body: { digest: event.target.value as Digest } })}
      />
    </div>
  )
}
