import { transaction } from '@trellis/control-db/database'
import type { SystemCtx } from '../../platform/ctx.ts'
import { queueMail } from '../../platform/mail/queue-mail.ts'
import { digestMail } from '../../platform/mail/templates/digest.ts'
import {
  type UnmailedNotification,
  deleteOldNotifications,
  findUnmailed,
  markMailed,
} from './notifications.repository.ts'

const MONDAY = 1
const KEPT_MS = 90 * 86_400_000

export async function handleSendDigests(ctx: SystemCtx): Promise<void> {
  const now = ctx.clock.now()
  await deleteOldNotifications(ctx, new Date(now.getTime() - KEPT_MS))
  const waiting = await findUnmailed(ctx, now.getUTCDay() === MONDAY ? ['daily', 'weekly'] : ['daily'])
  for (const notifications of Map.groupBy(waiting, (row) => row.profile_id).values()) {
    await sendDigest(ctx, notifications, now)
  }
}

/** Queues the mail and marks it in one transaction, so that a retry sends nothing twice. */
async function sendDigest(ctx: SystemCtx, notifications: readonly UnmailedNotification[], now: Date): Promise<void> {
  const [first] = notifications
  if (!first) return
  await transaction(ctx, async (ctx) => {
    const mail = digestMail({
      firstName: first.first_name,
      notifications: notifications.map(({ title, detail, count, at }) => ({ title, detail, count, at })),
      publicUrl: ctx.ports.config.publicUrl,
    })
    await queueMail(ctx, { to: first.email, mail })
    const ids = notifications.map(({ id }) => id)
    await markMailed(ctx, ids, now)
  })
}
