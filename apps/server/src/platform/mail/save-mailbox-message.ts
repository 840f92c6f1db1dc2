import type { Db } from '@trellis/control-db/database'
import type { MailboxMessage } from '@trellis/embedded/mailbox/start-mailbox'

/** A redelivery, after a lost acknowledgement, is ignored. */
export async function saveMailboxMessage(db: Db, message: MailboxMessage): Promise<void> {
  await db
    .insertInto('mailbox_messages')
    .values({
      message_id: stripNulBytes(message.messageId),
      from_address: stripNulBytes(message.from),
      to_address: stripNulBytes(message.to),
      subject: stripNulBytes(message.subject),
      html: message.html === undefined ? null : stripNulBytes(message.html),
      text: message.text === undefined ? null : stripNulBytes(message.text),
    })
    .onConflict((conflict) => conflict.column('message_id').doNothing())
    .execute()
}

function stripNulBytes(text: string): string {
  return text.replaceAll('\0', '')
}
