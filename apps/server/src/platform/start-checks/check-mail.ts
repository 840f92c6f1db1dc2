import type { Config } from '../config.ts'
import { type StartCheck, passCheck, warn } from './start-check.ts'

export const hasOpenMailbox = (config: Pick<Config, 'smtpUrl' | 'mailboxToken' | 'isOnlyHere'>): boolean =>
  config.smtpUrl === undefined && (config.mailboxToken !== undefined || config.isOnlyHere)

/** Signing up takes a code from a mail. */
export const checkMail: StartCheck = ({ config }) => {
  if (config.smtpUrl !== undefined) return passCheck(`mails are sent by ${new URL(config.smtpUrl).hostname}`)
  if (hasOpenMailbox(config)) return passCheck('mails stay in the built-in mailbox')
  return warn(
    'Nobody can read the mails of Trellis, so nobody can sign up',
    'Set TRELLIS_SMTP_URL, or TRELLIS_MAILBOX_TOKEN to read them in the built-in mailbox.',
  )
}
