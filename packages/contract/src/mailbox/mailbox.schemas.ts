import * as z from 'zod/mini'
import { Instant } from '../core/shapes.ts'

export const MailboxSummary = z.object({
  id: z.int(),
  to: z.string(),
  from: z.string(),
  subject: z.string(),
  received_at: Instant,
})
export type MailboxSummary = z.infer<typeof MailboxSummary>

export const MailboxMessage = z.extend(MailboxSummary, { html: z.nullable(z.string()), text: z.nullable(z.string()) })
export type MailboxMessage = z.infer<typeof MailboxMessage>

const token = z.optional(z.string().check(z.maxLength(200)))
const wholeNumber = z.coerce.number().check(z.int(), z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER))

export const MailboxQuery = z.object({
  token,
  search: z.optional(z.string().check(z.maxLength(200))),
  before_id: z.optional(wholeNumber),
})
export const MailboxMessageQuery = z.object({ token })
export const MailboxMessageParams = z.object({ message_id: wholeNumber })
