import { MAX_NOTIFICATIONS, type Notifications } from '@trellis/contract/notifications/notifications.endpoints'
import type { ProfileCtx } from '../../platform/ctx.ts'
import { findDigest, findNotifications } from './notifications.repository.ts'

export async function getNotifications(ctx: ProfileCtx): Promise<Notifications> {
  const rows = await findNotifications(ctx, ctx.actor.profileId, MAX_NOTIFICATIONS)
  return {
    items: rows.map(({ id, kind, title, detail, path, count, at, read_at }) => ({
      id,
      kind,
      title,
      detail,
      path,
      count,
      at: at.toISOString(),
      is_read: read_at !== null,
    })),
    unread: rows.filter((row) => row.read_at === null).length,
    digest: await findDigest(ctx, ctx.actor.profileId),
  }
}
