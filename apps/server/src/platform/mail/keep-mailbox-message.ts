import type { Db } from '@trellis/control-db/database'
import type { MailboxMessage } from '@trellis/embedded/mailbox/start-mailbox'

/** A redelivery, after a lost acknowledgement, is ignored. */
export async function keepMailboxMessage(db: Db, message: MailboxMessage): Promise<void> {
  await db
    .insertInto('mailbox_messages')
    .values({
      message_id: storable(message.messageId),
      from_address: storable(message.from),
      to_address: storable(message.to),
      subject: storable(message.subject),
      html: message.html === undefined ? null : storable(message.html),
      text: message.text === undefined ? null : storable(message.text),
    })
    .onConflict((conflict) => conflict.column('message_id').doNothing())
    .execute()
}

function storable(text: string): string {
  return text.replaceAll('\0', '')
}
