import { CircleCheck } from 'lucide-react'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { StatusDot } from '../../../ui/feedback/Status.tsx'
import styles from './add.module.css'
import { failedEmails, type InviteResults } from './wizard.ts'

export function InviteResultsView({ results }: { results: InviteResults | undefined }) {
  if (!results) {
    return (
      <Loading label="Sending the invites" className={styles.step}>
        <Skeleton width="70%" />
        <Skeleton width="50%" />
      </Loading>
    )
  }
  const isAllSent = failedEmails(results).length === 0
  return (
    <div className={styles.step}>
      {isAllSent ? (
        <p className={styles.sent}>
          <CircleCheck aria-hidden />
          Everybody gets an e-mail with a link to join.
        </p>
      ) : (
        <Banner tone="danger" title="Invites Errors">
          Some email were not able to be invited. Click the button below to retry sending the emails.
        </Banner>
      )}
      <table className={styles.roles} aria-label="Results">
        <thead>
          <tr>
            <th scope="col">Email</th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(results).map(([email, { status, message }]) => (
            <tr key={email}>
              <th scope="row">{email}</th>
              <td aria-label={status ? 'Invite Sent' : message}>
                <StatusDot tone={status ? 'success' : 'danger'}>
                  <span className={styles.message}>{status ? 'Invite Sent' : message}</span>
                </StatusDot>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
