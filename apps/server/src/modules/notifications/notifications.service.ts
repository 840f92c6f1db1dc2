import type { AnyDb } from '@trellis/control-db/database'
import type { BaseCtx } from '../../platform/ctx.ts'
import {
  type NewNotification,
  deleteCommentNotifications,
  findProfileIds,
  insertNotifications,
} from './notifications.repository.ts'

type NotifyingCtx = Pick<BaseCtx, 'clock'> & { readonly db: AnyDb }
type NotificationContent = Omit<NewNotification, 'at'>

/** In the caller's transaction. */
export async function notify(
  ctx: NotifyingCtx,
  profileIds: readonly number[],
  about: NotificationContent,
): Promise<void> {
  if (profileIds.length > 0) await insertNotifications(ctx, profileIds, { ...about, at: ctx.clock.now() })
}

export async function notifyByEmail(ctx: NotifyingCtx, email: string, about: NotificationContent): Promise<void> {
  await notify(ctx, await findProfileIds(ctx, email), about)
}

export async function withdrawNotifications(
  ctx: Pick<NotifyingCtx, 'db'>,
  profileIds: readonly number[],
  commentId: number,
): Promise<void> {
  if (profileIds.length > 0) await deleteCommentNotifications(ctx, profileIds, commentId)
}
