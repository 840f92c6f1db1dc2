import { usePageSetting } from '../page-settings.ts'
import styles from './parts.module.css'

/** Shown only without a mail server, where the code could not be found otherwise. */
export function MailboxHint() {
  const mailbox = usePageSetting('mailbox')
  if (mailbox === null) return null
  return (
    <p className={styles.hint}>
      No mail server is set up. Read the code in the{' '}
      <a className={styles.link} href={mailbox} target="_blank" rel="noreferrer">
        built-in mailbox
      </a>
      .
    </p>
  )
}
