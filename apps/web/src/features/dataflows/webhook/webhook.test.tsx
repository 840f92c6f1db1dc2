import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { account, createWorld } from '../../../testing/fake-world.ts'
import { openApp } from '../../../testing/render-app.tsx'

async function open(change: Parameters<typeof openApp>[1] = {}) {
  const app = openApp('/northwind/growth/dataflows', change)
  await app.user.click(await screen.findByRole('button', { name: 'Actions for Stock levels' }))
  await app.user.click(screen.getByRole('menuitem', { name: 'Start by webhook…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Start by webhook' }))
  return { ...app, dialog }
}

function withWebhook() {
  const { dataflows } = createWorld()
  dataflows.webhooks.set('d-new', {
    webhook_trellis_code: 'w1',
    url_prefix: 'https://trellis.example/hooks/w1/',
    created_at: '2026-11-01T09:00:00.000Z',
    who: 'Ada Lovelace',
    rotated_at: null,
    last_call: { at: '2026-11-02T09:00:00.000Z', flow_run_trellis_code: 'fr-1' },
  })
  return dataflows
}

test('a URL is created, shown once with an example, and hidden when the dialog is opened again', async () => {
  const { user, dialog } = await open()
  await user.click(await dialog.findByRole('button', { name: 'Create webhook URL' }))
  expect(await dialog.findByText('Copy it now')).toBeTruthy()
  const url = 'https://trellis.example/hooks/w1/secret-1'
  expect(dialog.getByLabelText('Webhook URL').textContent).toBe(url)
  expect(dialog.getByLabelText('Example').textContent).toContain(`curl -X POST '${url}'`)
  expect(dialog.getByText('None yet')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Done' }))
  await user.click(screen.getByRole('button', { name: 'Actions for Stock levels' }))
  await user.click(screen.getByRole('menuitem', { name: 'Start by webhook…' }))
  const again = await screen.findByRole('dialog', { name: 'Start by webhook' })
  expect(await within(again).findByText(/Rotate it to get a complete URL again/)).toBeTruthy()
  expect(again.textContent).not.toContain('secret-1')
})

test('rotating asks first and shows the new URL; removing leaves none', async () => {
  const { user, dialog, world } = await open({ dataflows: withWebhook() })
  await user.click(await dialog.findByRole('button', { name: 'Rotate secret' }))
  const question = await screen.findByRole('dialog', { name: 'Rotate the secret?' })
  expect(question.textContent).toContain('The current URL stops working immediately.')
  await user.click(within(question).getByRole('button', { name: 'Rotate secret' }))
  await waitFor(() => expect(dialog.getByLabelText('Webhook URL').textContent).toContain('secret-2'))
  expect(screen.queryByRole('dialog', { name: 'Rotate the secret?' })).toBeNull()
  await user.click(dialog.getByRole('button', { name: 'Remove webhook URL' }))
  const removal = await screen.findByRole('dialog', { name: 'Remove the webhook URL?' })
  await user.click(within(removal).getByRole('button', { name: 'Remove webhook URL' }))
  expect(await dialog.findByRole('button', { name: 'Create webhook URL' })).toBeTruthy()
  expect(world.dataflows.webhooks.size).toBe(0)
  expect(dialog.queryByText('Copy it now')).toBeNull()
})

test('the last call leads to its run', async () => {
  const { user, dialog, router } = await open({ dataflows: withWebhook() })
  await user.click(await dialog.findByRole('link', { name: 'Open its run' }))
  await waitFor(() => expect(router.state.location.pathname).toMatch(/\/dataflow\/d-new\/editor\/logs\/fr-1$/))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a viewer sees that there is a URL, and can not change it', async () => {
  const northwind = account('Northwind', ['Growth'], { role: 'account_view' })
  for (const workspace of northwind.workspaces) workspace.role = 'workspace_viewer'
  const { dialog } = await open({ dataflows: withWebhook(), accounts: [northwind] })
  expect(await dialog.findByText('The secret is shown only to whoever creates the URL.')).toBeTruthy()
  for (const name of ['Rotate secret', 'Remove webhook URL', 'Create webhook URL']) {
    expect(dialog.queryByRole('button', { name })).toBeNull()
  }
})
