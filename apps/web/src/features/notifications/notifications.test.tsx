import type { Notification } from '@trellis/contract/notifications/notifications.endpoints'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/render-app.tsx'

const PATH = '/northwind/growth/dashboard'

const item = (id: number, more: Partial<Notification> = {}): Notification => ({
  id,
  kind: 'run_failed',
  title: `"Daily" failed at "Orders ${id}"`,
  detail: 'The column "total" is gone.',
  path: '/northwind/growth/utilization',
  count: 1,
  at: new Date().toISOString(),
  is_read: false,
  ...more,
})
const two = { items: [item(2, { count: 3 }), item(1)], unread: 2, digest: 'off' as const }

test('the bell counts what is unread, and opening one marks it as read and leads there', async () => {
  const { user, router, world } = openApp(PATH, { notifications: two })
  await user.click(await screen.findByRole('button', { name: 'Notifications, 2 unread' }))
  const panel = await screen.findByRole('dialog', { name: 'Notifications' })
  expect(within(panel).getByText(/3 ×/)).toBeTruthy()
  await user.click(within(panel).getByRole('link', { name: /Orders 1/ }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/northwind/growth/utilization'))
  await waitFor(() => expect(world.notifications.unread).toBe(1))
  expect(await screen.findByRole('button', { name: 'Notifications, 1 unread' })).toBeTruthy()
})

test('all are marked as read at once, and a digest is chosen', async () => {
  const { user, world } = openApp(PATH, { notifications: two })
  await user.click(await screen.findByRole('button', { name: 'Notifications, 2 unread' }))
  await user.click(await screen.findByRole('button', { name: 'Mark all as read' }))
  await waitFor(() => expect(world.notifications.unread).toBe(0))
  await user.selectOptions(await screen.findByLabelText('E-mail me a digest of unread notifications'), 'Every Monday')
  await waitFor(() => expect(world.notifications.digest).toBe('weekly'))
})

test('without anything new the panel says what would be there', async () => {
  const { user } = openApp(PATH)
  await user.click(await screen.findByRole('button', { name: 'Notifications' }))
  expect(await screen.findByRole('heading', { name: 'Nothing new' })).toBeTruthy()
})
