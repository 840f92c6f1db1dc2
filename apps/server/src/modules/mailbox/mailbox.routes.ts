import * as calls from '@trellis/contract/mailbox/mailbox.endpoints'
import { handle } from '../../http/handle.ts'
import { getMailboxMessage, listMailbox } from './mailbox.ts'

export const mailboxRoutes = [
  handle(calls.listMailbox, ({ query }, ctx) => listMailbox(ctx, query)),
  handle(calls.getMailboxMessage, ({ params, query }, ctx) => getMailboxMessage(ctx, params.message_id, query.token)),
]
