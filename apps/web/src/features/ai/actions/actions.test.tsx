import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ActionItem } from '@trellis/contract/actions/actions.schemas'
import { fakeActionItem } from '../../../testing/ai/fake-actions-handlers.ts'
import { createAi, fakeMessage } from '../../../testing/ai/fake-ai.ts'
import { FAKE_DATABASE } from '../../../testing/fake-explorer.ts'
import { giveSize } from '../../../testing/give-size.ts'
import { openApp } from '../../../testing/render-app.tsx'

giveSize()

const AI = '/northwind/growth/ai'
const CHAT = `${AI}/chats/chat1`

function openProposed(change: Partial<ActionItem> = {}) {
  const item = fakeActionItem(change)
  const parts = [{ kind: 'action' as const, id: '0', action_id: item.action_id }]
  const messages = [fakeMessage('q1', { role: 'user', text: '/do it' }), fakeMessage('a1', { parts })]
  return openApp(CHAT, { ai: createAi({ messages, actions: [item] }) })
}
const findBox = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Question' })

test('a proposed action shows what it does and happens when it is accepted', async () => {
  const { user, world, router } = openProposed()
  const card = await screen.findByRole('group', { name: 'Action: Open table' })
  expect(within(card).getByText('Open shop.orders.')).toBeTruthy()
  expect(within(card).getByText('shop.orders')).toBeTruthy()
  expect(world.ai.actions[0]?.status).toBe('proposed')
  await user.click(within(card).getByRole('button', { name: 'Accept' }))
  await waitFor(() =>
    expect(router.state.location.pathname).toBe(
      `/northwind/growth/explorer/${FAKE_DATABASE}/schema/shop/table/orders/preview`,
    ),
  )
})

test('a declined action does nothing and can not be accepted any more', async () => {
  const { user, world, router } = openProposed()
  await user.click(await screen.findByRole('button', { name: 'Decline' }))
  expect(await screen.findByText('Declined')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Accept' })).toBeNull()
  expect(world.ai.actions[0]?.status).toBe('declined')
  expect(router.state.location.pathname).toBe(CHAT)
})

test('what was accepted is undone', async () => {
  const { user, world } = openProposed({ action_type: 'new_worksheet', status: 'accepted', can_undo: true })
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Undone')).toBeTruthy()
  expect(world.ai.actions[0]?.status).toBe('undone')
})

test('the theme of an action is kept in the profile', async () => {
  const { user, world } = openProposed({ action_type: 'color', title: 'Switch theme' })
  await user.click(await screen.findByRole('button', { name: 'Accept' }))
  expect(await screen.findByText('The light theme is on.')).toBeTruthy()
  await waitFor(() => expect(world.profile.preferences.themeMode).toBe('light'))
})

test('snake is played with the keyboard until it meets a wall', async () => {
  const { user } = openProposed({ action_type: 'snake', title: 'Snake', preview: [] })
  await user.click(await screen.findByRole('button', { name: 'Accept' }))
  const dialog = await screen.findByRole('dialog', { name: 'Snake' })
  expect(within(dialog).getByText('Paused')).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(within(dialog).getByLabelText('Snake field')))
  await user.keyboard('{ArrowUp}')
  expect(await within(dialog).findByText('Game over', {}, { timeout: 30_000 })).toBeTruthy()
  await user.keyboard('{Enter}')
  expect(within(dialog).getByText('Paused')).toBeTruthy()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('actions and what they are applied to are suggested after a slash', async () => {
  const { user, world } = openApp(CHAT, { ai: createAi({ answers: [[]] }) })
  const box = await findBox()
  await user.type(box, '/')
  const list = await screen.findByRole('listbox', { name: 'Suggestions' })
  expect(within(list).getAllByRole('option')).toHaveLength(2)
  await user.keyboard('vi')
  await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1))
  await user.keyboard('{Enter}')
  expect(box.value).toBe('/view_table ')
  expect(await screen.findByRole('option', { name: /^shop\.orders/ })).toBeTruthy()
  await user.keyboard('cust{Tab}')
  expect(box.value).toBe('/view_table shop.customers')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(world.ai.sent).toEqual([{ text: '/view_table shop.customers' }]))
})

test('tables are mentioned with an at sign; Escape closes the suggestions', async () => {
  const { user } = openApp(CHAT)
  const box = await findBox()
  await user.type(box, 'how many @')
  expect(await screen.findAllByRole('option')).toHaveLength(2)
  expect(box.getAttribute('aria-activedescendant')).toBe(screen.getAllByRole('option')[0]?.id)
  await user.keyboard('{ArrowDown}{Enter}')
  expect(box.value).toBe('how many @shop.customers ')
  await user.keyboard('@')
  await screen.findByRole('listbox')
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('listbox')).toBeNull()
})

test('the up arrow brings the last question back; Shift+Enter starts a new line', async () => {
  const { user, world } = openApp(CHAT)
  const box = await findBox()
  await screen.findByRole('article', { name: 'Answer' })
  await user.click(box)
  await user.keyboard('{ArrowUp}')
  expect(box.value).toBe('total amount by status please')
  await user.keyboard('{Shift>}{Enter}{/Shift}')
  expect(box.value).toBe('total amount by status please\n')
  expect(world.ai.sent).toEqual([])
})
