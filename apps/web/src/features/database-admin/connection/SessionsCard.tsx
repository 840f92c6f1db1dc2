import type { DatabaseSession } from '@trellis/contract/database-admin/database-admin.schemas'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { Button } from '../../../ui/actions/Button.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { StatusDot } from '../../../ui/feedback/Status.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import type { AdminScope } from '../admin-scope.ts'
import { useEndSession, useSessions } from '../database-admin.queries.ts'
import styles from '../database-admin.module.css'
import { Loaded } from '../../../app/loading/Loaded.tsx'

type Session = z.infer<typeof DatabaseSession>

export function SessionsCard({ scope }: { scope: AdminScope }) {
  const sessions = useSessions(scope)
  const [ending, setEnding] = useState<Session | null>(null)
  return (
    <Loaded query={sessions} subject="The connections">
      {(data) => (
        <Card isFlush={data.length > 0} title="Connected now" subtitle="Refreshed every ten seconds.">
          {data.length === 0 ? (
            <p className={styles.note}>Nobody is connected from outside.</p>
          ) : (
            <div className={styles.scroll} tabIndex={0} role="region" aria-label="Connected now">
              <table className={styles.matrix}>
                <thead>
                  <tr>
                    <th scope="col">Who</th>
                    <th scope="col">From</th>
                    <th scope="col">State</th>
                    <th scope="col">Since</th>
                    <th scope="col">
                      <span className="visually-hidden">Actions</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {data.map((session) => (
                    <tr key={session.pid}>
                      <th scope="row">
                        <span className={styles.named}>
                          {session.profile_name ?? session.user_name}
                          <span className={styles.note}>{session.application || session.user_name}</span>
                        </span>
                      </th>
                      <td className={styles.mono}>{session.address ?? 'this machine'}</td>
                      <td>
                        <StatusDot tone={session.state === 'active' ? 'success' : 'neutral'}>{session.state}</StatusDot>
                      </td>
                      <td>
                        <DateTime value={session.since} format="recent" />
                      </td>
                      <td>
                        {scope.canWrite && (
                          <Button
                            size="sm"
                            aria-label={`End connection ${session.pid}`}
                            onClick={() => setEnding(session)}
                          >
                            End
                          </Button>
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
          {ending && <EndDialog scope={scope} session={ending} onClose={() => setEnding(null)} />}
        </Card>
      )}
    </Loaded>
  )
}

function EndDialog({ scope, session, onClose }: { scope: AdminScope; session: Session; onClose: () => void }) {
  const end = useEndSession()
  return (
    <ConfirmDialog
      title="End this connection?"
      confirmLabel="End"
      isBusy={end.isPending}
      error={end.error?.message}
      onConfirm={() => end.mutate({ params: { ...scope.params, pid: session.pid } }, { onSuccess: onClose })}
      onClose={onClose}
    >
      What {session.profile_name ?? session.user_name} runs in it is stopped and rolled back. The tool may connect
      again.
    </ConfirmDialog>
  )
}
