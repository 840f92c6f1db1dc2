import { timingSafeEqual } from 'node:crypto'
import type { MailboxMessage, MailboxSummary } from '@trellis/contract/mailbox/mailbox.schemas'
import { AppError } from '../../platform/app-error.ts'
import type { PublicCtx } from '../../platform/ctx.ts'
import { findMailboxMessage, findMailboxMessages } from './mailbox.repository.ts'

/**
 * It shows everyone's codes. Without a token it checks both ends of the connection: the address alone would allow DNS
 * rebinding.
 */
function checkAccess(ctx: PublicCtx, token: string | undefined): void {
  const { config } = ctx.ports
  const given = Buffer.from(token ?? '')
  const wanted = Buffer.from(config.mailboxToken ?? '')
  const hasToken = wanted.length > 0 && given.length === wanted.length && timingSafeEqual(given, wanted)
  const isHere = wanted.length === 0 && config.isOnlyHere && ctx.http.isFromThisMachine
  if (config.smtpUrl || !(hasToken || isHere)) throw new AppError('not_found', 'There is nothing at this address.')
}

export async function listMailbox(
  ctx: PublicCtx,
  query: { token?: string | undefined; search?: string | undefined; before_id?: number | undefined },
): Promise<MailboxSummary[]> {
  checkAccess(ctx, query.token)
  return await findMailboxMessages(ctx, { search: query.search, beforeId: query.before_id })
}

export async function getMailboxMessage(
  ctx: PublicCtx,
  id: number,
  token: string | undefined,
): Promise<MailboxMessage> {
  checkAccess(ctx, token)
  const message = await findMailboxMessage(ctx, id)
  if (!message) throw new AppError('not_found', 'This message is not here any more.')
  return message
}
