import type { Db } from '@trellis/control-db/database'
import { AppError } from '../../../platform/app-error.ts'
import type { BaseCtx } from '../../../platform/ctx.ts'
import { consumeLimit } from '../../../platform/rate-limit.ts'

/** Addresses are not verified, so the mails of an account are limited. */
const MAILS_PER_HOUR = [200, 3600] as const
export const NOT_MAILED = 'Too many mails of this account went out in the last hour. This one was not sent.'

export async function canSendMail(
  { db, ports }: { readonly db: unknown } & Pick<BaseCtx, 'ports'>,
  accountId: number,
): Promise<boolean> {
  if (!ports.config.hasRateLimits) return true
  try {
    await consumeLimit(db as Db, `alert-mails|${accountId}`, MAILS_PER_HOUR)
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_many_requests') return false
    throw error
  }
}
