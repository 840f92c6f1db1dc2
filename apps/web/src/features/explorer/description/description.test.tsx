import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { FAKE_DATABASE } from '../../../testing/fake-explorer.ts'
import { giveSize } from '../../../testing/give-size.ts'
import { openApp } from '../../../testing/render-app.tsx'

giveSize()

const PAGE = `/northwind/growth/explorer/${FAKE_DATABASE}/schema/shop/table/orders/description`

test('what was typed outlives a failed save, and then is saved', async () => {
  const { user, world } = openApp(PAGE, { broken: new Set(['setTableDescription']) })
  await user.type(await screen.findByLabelText('Description of amount'), 'With tax')
  await user.click(screen.getByRole('button', { name: 'Save description' }))
  expect(await screen.findByText('The description could not be saved')).toBeTruthy()
  expect((screen.getByLabelText('Description of amount') as HTMLInputElement).value).toBe('With tax')
  world.broken.clear()
  await user.click(screen.getByRole('button', { name: 'Save description' }))
  expect(await screen.findByText('Description saved.')).toBeTruthy()
  expect(world.explorer.tables[0]?.columnTexts['amount']).toBe('With tax')
})

test('leaving with unsaved words is asked about', async () => {
  const { user, router } = openApp(PAGE)
  await user.type(await screen.findByRole('textbox', { name: 'Description' }), ' More.')
  await user.click(screen.getByRole('link', { name: 'Details' }))
  const dialog = await screen.findByRole('dialog', { name: 'Leave without saving?' })
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  expect(router.state.location.pathname).toBe(PAGE)
  await user.click(screen.getByRole('link', { name: 'Details' }))
  await user.click(await screen.findByRole('button', { name: 'Leave and lose changes' }))
  await waitFor(() => expect(router.state.location.pathname).toMatch(/details$/))
})

test('the preview sets Markdown out and never lets markup through', async () => {
  const { user } = openApp(PAGE)
  const field = await screen.findByRole('textbox', { name: 'Description' })
  await user.clear(field)
  await user.type(field, '**bold** <img src=x onerror=alert(1)>')
  await user.click(screen.getByRole('tab', { name: 'Preview' }))
  const panel = screen.getByRole('tabpanel')
  expect(panel.querySelector('strong')?.textContent).toBe('bold')
  expect(panel.querySelector('img')).toBeNull()
  expect(panel.textContent).toContain('<img src=x')
})
