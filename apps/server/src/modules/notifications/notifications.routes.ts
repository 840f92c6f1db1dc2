import * as calls from '@trellis/contract/notifications/notifications.endpoints'
import { handle } from '../../http/handle.ts'
import { markRead, setDigest } from './notifications.repository.ts'
import { getNotifications } from './notifications.ts'

const DONE = { done: true } as const

export const notificationsRoutes = [
  handle(calls.listNotifications, (_, ctx) => getNotifications(ctx)),
  handle(calls.readNotifications, async ({ body }, ctx) => {
    await markRead(ctx, ctx.actor.profileId, { ids: body.ids, now: ctx.clock.now() })
    return DONE
  }),
  handle(calls.updateDigest, async ({ body }, ctx) => {
    await setDigest(ctx, ctx.actor.profileId, body.digest)
    return DONE
  }),
]
