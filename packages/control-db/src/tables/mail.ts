import type { Generated } from 'kysely'
import type { Stamp } from './identity.ts'

export interface MailTables {
  mail_outbox: {
    id: Generated<number>
    message_id: string
    to_address: string
    subject: string
    html: string
    text: string
    status: Generated<'queued' | 'sent' | 'failed'>
    attempts: Generated<number>
    next_attempt_at: Stamp
    last_error: string | null
    created_at: Stamp
    sent_at: Date | null
  }
  mailbox_messages: {
    id: Generated<number>
    message_id: string
    from_address: string
    to_address: string
    subject: string
    html: string | null
    text: string | null
    received_at: Stamp
  }
}
