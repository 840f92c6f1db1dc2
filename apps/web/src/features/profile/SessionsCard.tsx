import { Monitor, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/actions/Button.tsx'
import { DateTime } from '../../ui/data/DateTime.tsx'
import { ErrorPanel } from '../../ui/feedback/ErrorPanel.tsx'
import { Loading, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { Badge } from '../../ui/feedback/Status.tsx'
import { Card } from '../../ui/layout/Card.tsx'
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx'
import styles from './profile.module.css'
import { useEndAllSessions, useEndSession, useSessions } from './sessions.queries.ts'

type Session = NonNullable<ReturnType<typeof useSessions>['data']>[number]

export function SessionsCard() {
  const sessions = useSessions()
  const endAll = useEndAllSessions()
  const [isAsking, setAsking] = useState(false)
  if (sessions.isError) {
    return (
      <ErrorPanel
        title="Your sessions could not be loaded"
        detail={sessions.error.message}
        reference={sessions.error.requestId}
        isRetrying={sessions.isFetching}
        onRetry={() => void sessions.refetch()}
      />
    )
  }
  return (
    <Card
      isFlush
      title="Sessions"
      subtitle="Where you are signed in now."
      actions={<Button onClick={() => setAsking(true)}>Sign out everywhere…</Button>}
    >
      {sessions.isPending ? (
        <Loading label="Loading your sessions" className={styles.ghosts}>
          <Skeleton width="50%" />
          <Skeleton width="36%" />
        </Loading>
      ) : (
        <ul className={styles.sessions}>
          {sessions.data.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      )}
      {isAsking && (
        <ConfirmDialog
          title="Sign out everywhere?"
          confirmLabel="Sign out everywhere"
          isBusy={endAll.isPending}
          onConfirm={() => endAll.mutate({})}
          onClose={() => setAsking(false)}
        >
          Every session ends, this one too. You will have to sign in again on each device.
        </ConfirmDialog>
      )}
    </Card>
  )
}

function SessionRow({ session }: { session: Session }) {
  const end = useEndSession()
  const isPhone = /iphone|android|mobile/i.test(session.device)
  return (
    <li className={styles.session}>
      <span className={styles.device}>{isPhone ? <Smartphone aria-hidden /> : <Monitor aria-hidden />}</span>
      <div className={styles.sessionText}>
        <span className={styles.sessionName}>
          {session.device}
          {session.is_current && <Badge tone="accent">This session</Badge>}
        </span>
        <span className={styles.sessionNote}>
          {session.ip} · last used <DateTime value={session.last_used_at} format="recent" /> · signed in{' '}
          <DateTime value={session.created_at} format="relative" />
        </span>
      </div>
      {!session.is_current && (
        <Button
          size="sm"
          isBusy={end.isPending}
          aria-label={`Sign out ${session.device}`}
          onClick={() => end.mutate({ params: { session_id: session.id } })}
        >
          Sign out
        </Button>
      )}
    </li>
  )
}
