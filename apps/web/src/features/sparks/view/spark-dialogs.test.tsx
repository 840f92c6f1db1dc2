import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/render-app.tsx'
import { createSparks } from '../../../testing/sparks/fake-sparks.ts'

const PATH = '/northwind/growth/sparks/orders'

async function openSpark() {
  const opened = openApp(PATH)
  await screen.findByRole('button', { name: 'More' })
  const choose = async (action: string, dialog: string) => {
    await opened.user.click(screen.getByRole('button', { name: 'More' }))
    await opened.user.click(await screen.findByRole('menuitem', { name: action }))
    return within(await screen.findByRole('dialog', { name: dialog }))
  }
  return { ...opened, choose }
}

test('a spark is renamed', async () => {
  const { user, world, choose } = await openSpark()
  const dialog = await choose('Rename', 'Rename spark')
  const name = dialog.getByLabelText('Name')
  await user.clear(name)
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
  await user.type(name, 'Orders today')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Spark saved.')).toBeTruthy()
  expect(world.sparks.sparks[0]?.name).toBe('Orders today')
})

test('a mail is scheduled, shown as scheduled and stopped', async () => {
  const { user, world, choose } = await openSpark()
  const dialog = await choose('Mail to me', 'Mail this spark to me')
  await user.selectOptions(dialog.getByLabelText('How often'), 'Monday to Friday')
  await user.selectOptions(dialog.getByLabelText('At'), '07:00')
  await user.click(dialog.getByLabelText('Only when its rows have changed'))
  await user.click(dialog.getByRole('button', { name: 'Schedule' }))
  expect(await screen.findByText('The mail is scheduled.')).toBeTruthy()
  expect(world.sparks.schedule).toMatchObject({
    only_if_changed: true,
    schedule: { scheduleArgs: { timeList: '7', weekdays: expect.not.arrayContaining(['sunday']) as string[] } },
  })
  const again = await choose('Mail to me', 'Mail this spark to me')
  expect(await again.findByText('A mail is scheduled')).toBeTruthy()
  expect(again.getByLabelText<HTMLSelectElement>('How often').value).toBe('workdays')
  expect(again.getByLabelText<HTMLSelectElement>('At').value).toBe('7')
  expect(again.getByLabelText<HTMLInputElement>('Only when its rows have changed').checked).toBe(true)
  await user.click(again.getByRole('button', { name: 'Stop mails' }))
  await waitFor(() => expect(world.sparks.schedule).toBeNull())
})

test('deleting says what goes with the spark and leads to the gallery', async () => {
  const { user, world, router, choose } = await openSpark()
  const dialog = await choose('Delete', 'Delete Orders?')
  expect(dialog.getByText(/2 versions, its comments and its scheduled mails/)).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/northwind/growth/sparks'))
  expect(world.sparks.sparks).toEqual([])
})

test('versions are listed by an address of their own, and two are compared', async () => {
  const { user, router } = await openSpark()
  await user.click(screen.getByRole('button', { name: 'Versions' }))
  const panel = within(await screen.findByRole('dialog', { name: 'Versions' }))
  expect(router.state.location.search).toBe('?versions=1')
  const first = within(await panel.findByRole('listitem', { name: 'Version 1' }))
  await user.click(first.getByRole('button', { name: 'Compare with latest' }))
  const compare = within(await screen.findByRole('dialog', { name: 'Version 1 and version 2' }))
  expect((await compare.findByRole('tabpanel')).textContent).toContain('Second')
  await user.click(compare.getByRole('tab', { name: 'Side by side' }))
  expect(await screen.findByTitle('Orders, version 1')).toBeTruthy()
  expect(screen.getByTitle('Orders, version 2')).toBeTruthy()
})

test('the editor is loaded; changing to code and leaving with a change ask first', async () => {
  const { user, router } = openApp(`${PATH}/edit`)
  await user.click(await screen.findByRole('tab', { name: 'Layout' }))
  await user.click(await screen.findByRole('radio', { name: /^Code/ }))
  const asked = within(await screen.findByRole('dialog', { name: 'Change to code?' }))
  await user.click(asked.getByRole('button', { name: 'Cancel' }))
  await user.click(screen.getByRole('button', { name: 'Add a block' }))
  await user.click(screen.getByRole('menuitem', { name: 'Text' }))
  await user.click(screen.getByRole('link', { name: 'Cancel' }))
  const leaving = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }))
  expect(router.state.location.pathname).toBe(`${PATH}/edit`)
  await user.click(leaving.getByRole('button', { name: 'Leave' }))
  await waitFor(() => expect(router.state.location.pathname).toBe(PATH))
})

test('the dashboard loads its tiles and the facts of the workspace', async () => {
  const sparks = createSparks()
  sparks.sparks = sparks.sparks.map((spark) => ({ ...spark, is_on_dashboard: true }))
  openApp('/northwind/growth/dashboard', { sparks })
  const tile = within(await screen.findByRole('article', { name: 'Orders' }))
  expect(tile.getByRole('button', { name: 'Make Orders wide' })).toBeTruthy()
  expect(tile.getByRole('link', { name: /Orders/ })).toBeTruthy()
})
