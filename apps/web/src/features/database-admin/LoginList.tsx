import type { ExternalProfile } from '@trellis/contract/database-admin/database-admin.schemas'
import { CopyButton } from '../../ui/actions/CopyButton.tsx'
import { DateTime } from '../../ui/data/DateTime.tsx'
import { Badge } from '../../ui/feedback/Status.tsx'
import styles from './database-admin.module.css'
import { getExpiryState } from './expiry.ts'

export function LoginList({ logins }: { logins: ExternalProfile['logins'] }) {
  const now = new Date()
  return (
    <ul className={styles.logins} aria-label="Logins">
      {logins.map((login) => (
        <li key={login.user_name}>
          <code className={styles.mono}>{login.user_name}</code>
          <CopyButton text={login.user_name} what={`Copy ${login.user_name}`} />
          {login.ends_at !== null && (
            <span className={styles.note}>
              <Badge tone="warning">Older</Badge> works until <DateTime value={login.ends_at} />
            </span>
          )}
          {login.ends_at === null && login.expires_at !== null && (
            <span className={styles.note}>
              {getExpiryState(login.expires_at, now) === 'over' ? 'ended ' : 'works until '}
              <DateTime value={login.expires_at} />
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
