import * as z from 'zod/mini'
import { defineEndpoint } from '../core/endpoint.ts'
import { Done, Instant } from '../core/shapes.ts'

export const MAX_NOTIFICATIONS = 100

export const Notification = z.object({
  id: z.int(),
  kind: z.enum([
    'run_failed',
    'invited',
    'storage',
    'credits',
    'schedules',
    'columns_changed',
    'slot_dropped',
    'export_finished',
    'export_failed',
    'mention',
  ]),
  title: z.string(),
  detail: z.string(),
  path: z.string(),
  count: z.int(),
  at: Instant,
  is_read: z.boolean(),
})
export type Notification = z.infer<typeof Notification>

export const Digest = z.enum(['off', 'daily', 'weekly'])
export type Digest = z.infer<typeof Digest>

export const Notifications = z.object({
  items: z.array(Notification),
  unread: z.int(),
  digest: Digest,
})
export type Notifications = z.infer<typeof Notifications>

const use = { feature: 'profile', permission: 'profile:self' } as const
const base = '/profile-token/notifications'

export const listNotifications = defineEndpoint({
  ...use,
  id: 'listNotifications',
  method: 'GET',
  path: base,
  summary: 'What concerns me, from all my accounts',
  response: Notifications,
})
export const readNotifications = defineEndpoint({
  ...use,
  id: 'readNotifications',
  method: 'POST',
  path: `${base}/read`,
  summary: 'Mark notifications as read',
  body: z.object({ ids: z.optional(z.array(z.int()).check(z.maxLength(MAX_NOTIFICATIONS))) }),
  response: Done,
  quiet: true,
})
export const updateDigest = defineEndpoint({
  ...use,
  id: 'updateDigest',
  method: 'PATCH',
  path: base,
  summary: 'Choose how often unread notifications are mailed to me',
  body: z.object({ digest: Digest }),
  response: Done,
})

export const notificationsEndpoints = [listNotifications, readNotifications, updateDigest]
