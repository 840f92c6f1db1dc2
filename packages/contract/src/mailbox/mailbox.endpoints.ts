import * as z from 'zod/mini'
import { defineEndpoint } from '../core/endpoint.ts'
import {
  MailboxMessage,
  MailboxMessageParams,
  MailboxMessageQuery,
  MailboxQuery,
  MailboxSummary,
} from './mailbox.schemas.ts'

const feature = 'mailbox'
const limit = { ip: [600, 60] } as const

/** Available only while no mail server is configured, and only locally or with the token printed at start. */
export const listMailbox = defineEndpoint({
  id: 'listMailbox',
  feature,
  permission: 'public',
  method: 'GET',
  path: '/mailbox',
  summary: 'What the built-in mailbox received, newest first',
  query: MailboxQuery,
  response: z.array(MailboxSummary),
  errors: ['not_found'],
  limit,
})

export const getMailboxMessage = defineEndpoint({
  id: 'getMailboxMessage',
  feature,
  permission: 'public',
  method: 'GET',
  path: '/mailbox/:message_id',
  summary: 'One message of the built-in mailbox',
  params: MailboxMessageParams,
  query: MailboxMessageQuery,
  response: MailboxMessage,
  errors: ['not_found'],
  limit,
})

export const mailboxEndpoints = [listMailbox, getMailboxMessage]
