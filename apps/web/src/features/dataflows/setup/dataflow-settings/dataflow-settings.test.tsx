import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createWorld } from '../../../../testing/fake-world.ts'
import { openApp } from '../../../../testing/render-app.tsx'

async function open(change: Parameters<typeof openApp>[1] = {}) {
  const app = openApp('/northwind/growth/dataflows', change)
  await app.user.click(await screen.findByRole('button', { name: 'Actions for Stock levels' }))
  await app.user.click(screen.getByRole('menuitem', { name: 'Settings and alerts…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Settings of Stock levels' }))
  return {
    ...app,
    dialog,
    flow: () => app.world.dataflows.list.find((candidate) => candidate.trellis_code === 'd-new'),
  }
}

test('pauses, missed and overlapping runs are set for the whole dataflow', async () => {
  const { user, dialog, flow } = await open()
  expect(dialog.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true)
  await user.click(dialog.getByRole('switch', { name: /Paused/ }))
  await user.click(dialog.getByRole('radio', { name: /Run every one/ }))
  await user.click(dialog.getByRole('radio', { name: /Leave the new one out/ }))
  await user.click(dialog.getByRole('tab', { name: 'Description' }))
  await user.click(dialog.getByRole('textbox', { name: 'Description' }))
  await user.paste('**Nightly** stock')
  await user.click(dialog.getByRole('button', { name: 'Preview' }))
  expect(dialog.getByText('Nightly').tagName).toBe('STRONG')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(flow()).toMatchObject({
      is_paused: true,
      misfire: 'all',
      overlap: 'skip',
      description: '**Nightly** stock',
    }),
  )
})

test('alerts: wrong addresses are told, a test goes to what is saved', async () => {
  const { user, dialog, flow } = await open()
  await user.click(dialog.getByRole('tab', { name: 'Alerts' }))
  const emails = dialog.getByLabelText(/E-mails/)
  await user.click(emails)
  await user.paste('ada@example.com, nobody')
  await user.tab()
  expect(dialog.getByText('“nobody” is not a valid email address')).toBeTruthy()
  expect(dialog.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true)
  expect(dialog.getByRole('button', { name: 'Send a test' })).toHaveProperty('disabled', true)
  await user.clear(emails)
  await user.paste('ada@example.com')
  await user.click(dialog.getByRole('switch', { name: /It works again/ }))
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(flow()?.alerts).toMatchObject({ emails: ['ada@example.com'], on_recovery: true }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(await screen.findByRole('button', { name: 'Actions for Stock levels' }))
  await user.click(screen.getByRole('menuitem', { name: 'Settings and alerts…' }))
  const again = within(await screen.findByRole('dialog', { name: 'Settings of Stock levels' }))
  await user.click(again.getByRole('tab', { name: 'Alerts' }))
  await user.click(again.getByRole('button', { name: 'Send a test' }))
  expect(await again.findByRole('list', { name: 'How the test went' })).toHaveProperty(
    'textContent',
    'ada@example.comSent',
  )
})

test('a webhook gets a new key after a question, and it is shown once', async () => {
  const { dataflows } = createWorld()
  for (const flow of dataflows.list) flow.alerts = { ...flow.alerts, webhook_url: 'https://example.com/hooks' }
  const { user, dialog } = await open({ dataflows })
  await user.click(dialog.getByRole('tab', { name: 'Alerts' }))
  await user.click(dialog.getByRole('button', { name: 'New key' }))
  const question = await screen.findByRole('dialog', { name: 'Make a new signing key?' })
  expect(question.textContent).toContain('The key before it ends at once.')
  expect(screen.queryByText('Copy it now')).toBeNull()
  await user.click(within(question).getByRole('button', { name: 'Make a new key' }))
  expect(await screen.findByText('Copy it now')).toBeTruthy()
  expect(dialog.getByText('5d41402abc4b2a76b9719d911017c592')).toBeTruthy()
  await user.click(dialog.getByRole('tab', { name: 'Description' }))
  await user.click(dialog.getByRole('tab', { name: 'Alerts' }))
  expect(dialog.queryByText('5d41402abc4b2a76b9719d911017c592')).toBeNull()
})
