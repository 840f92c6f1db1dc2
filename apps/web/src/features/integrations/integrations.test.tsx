import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { createIntegrations, fakeIntegration, WRONG_PASSWORD } from '../../testing/fake-integrations.ts'
import { account } from '../../testing/fake-world.ts'
import { openApp } from '../../testing/render-app.tsx'

const HOME = '/northwind/growth/integrations'
const viewer = () => {
  const northwind = account('Northwind', ['Growth'], { role: 'account_view' })
  return [
    {
      ...northwind,
      workspaces: northwind.workspaces.map((workspace) => ({ ...workspace, role: 'workspace_viewer' as const })),
    },
  ]
}

test('connections are listed with their state and what is wrong in words', async () => {
  const { user, router } = openApp(HOME)
  const table = within(await screen.findByRole('table', { name: 'Connections' }))
  expect(table.getByText('The database refused the password of reader.')).toBeTruthy()
  expect(table.getByText('Does not work')).toBeTruthy()
  expect(table.getByText('Consent ends in 5 days; give it again before that.')).toBeTruthy()
  expect(table.getByText('Managed')).toBeTruthy()
  await user.type(screen.getByLabelText('Search connections'), 'old')
  await waitFor(() => expect(table.getAllByRole('row')).toHaveLength(2))
  await user.click(table.getByText('Old shop'))
  await screen.findByRole('heading', { name: 'Old shop' })
  expect(router.state.location.pathname).toBe(`${HOME}/description/i-broken`)
})

test('with nothing connected it says what to do first', async () => {
  const { user, router } = openApp(HOME, { integrations: createIntegrations({ list: [] }) })
  await screen.findByRole('heading', { name: 'Nothing connected yet' })
  await user.click(screen.getByRole('link', { name: 'Choose what to connect' }))
  await screen.findByRole('heading', { name: 'What do you want to connect?' })
  expect(router.state.location.pathname).toBe(`${HOME}/create`)
})

test('the catalogue is searched, filtered and walked with keys', async () => {
  const { user, router } = openApp(`${HOME}/create`)
  const cards = await screen.findByRole('list', { name: 'Platforms' })
  expect(within(cards).queryByText('Trellis database')).toBeNull()
  await user.click(screen.getByRole('button', { name: /^Advertising/ }))
  await waitFor(() => expect(within(cards).getAllByRole('link')).toHaveLength(1))
  await user.click(screen.getByRole('button', { name: 'All' }))
  await user.type(screen.getByLabelText('Search the catalogue'), 'postgres')
  await waitFor(() => expect(within(cards).getAllByRole('link')).toHaveLength(1))
  await user.keyboard('{Enter}')
  await screen.findByRole('heading', { name: /Connect PostgreSQL/ })
  expect(router.state.location.pathname).toBe(`${HOME}/setup/postgresql`)
})

test('a wrong password is told, marked at its field and mended', async () => {
  const { user, world, router } = openApp(`${HOME}/setup/postgresql`, {
    integrations: createIntegrations({ nextProblem: WRONG_PASSWORD }),
  })
  const connect = await screen.findByRole<HTMLButtonElement>('button', { name: 'Connect' })
  expect(screen.getByText('An account that may read.')).toBeTruthy()
  expect(connect.disabled).toBe(true)
  await user.type(screen.getByLabelText('Name'), 'Shop')
  await user.type(screen.getByLabelText('Host'), 'db.example.com')
  await user.type(screen.getByLabelText('Database'), 'shop')
  await user.type(screen.getByLabelText('User'), 'reader')
  await user.type(screen.getByLabelText('Password'), 'wrong')
  await user.click(connect)
  expect(await screen.findByText('A setting is not right')).toBeTruthy()
  expect(router.state.location.pathname).toContain(`${HOME}/update/i-new-`)
  expect(screen.getByText(/let an admin of the database set a new one/)).toBeTruthy()
  const password = screen.getByLabelText('Password')
  expect(password.getAttribute('aria-invalid')).toBe('true')
  expect(JSON.stringify(world.integrations.list)).not.toContain('wrong')
  world.integrations.nextProblem = null
  await user.click(screen.getByRole('button', { name: 'Replace' }))
  await user.type(screen.getByLabelText('Password'), 'right')
  await user.click(screen.getByRole('button', { name: 'Save and check' }))
  expect(await screen.findByText('The connection works')).toBeTruthy()
  expect(screen.getByText('PostgreSQL 17.5')).toBeTruthy()
  expect(Object.values(world.integrations.secrets)).toEqual(['right'])
})

test('what somebody else saved meanwhile is shown beside one’s own, and neither is lost', async () => {
  const { user, world } = openApp(`${HOME}/update/i-shop`)
  const host = await screen.findByLabelText<HTMLInputElement>('Host')
  await user.clear(host)
  await user.type(host, 'mine.example.com')
  const shop = world.integrations.list.find((integration) => integration.integration_trellis_code === 'i-shop')
  if (!shop) throw new Error('The fake has no shop')
  Object.assign(shop, { version: 4, values: { ...shop.values, server: { host: 'theirs.example.com', port: 5432 } } })
  await user.click(screen.getByRole('button', { name: 'Save and check' }))
  expect(await screen.findByText('Somebody else changed this connection meanwhile')).toBeTruthy()
  expect(await screen.findByText('theirs.example.com')).toBeTruthy()
  expect(host.value).toBe('mine.example.com')
  await user.click(screen.getByRole('button', { name: 'Save mine over theirs' }))
  await waitFor(() => expect(shop.values['server']).toMatchObject({ host: 'mine.example.com' }))
  expect(await screen.findByText('The connection works')).toBeTruthy()
  expect(shop.version).toBe(5)
})

test('a kept secret that has to be entered again is asked for at its field', async () => {
  const { user, world } = openApp(`${HOME}/update/i-shop`)
  const host = await screen.findByLabelText('Host')
  await user.clear(host)
  await user.type(host, 'elsewhere.example.com')
  world.integrations.nextRefusal = { pointer: '/body/values/login/password', detail: 'Enter this again.' }
  const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save and check' })
  await user.click(save)
  expect(await screen.findByText('Enter this again.')).toBeTruthy()
  const password = screen.getByLabelText<HTMLInputElement>('Password')
  await waitFor(() => expect(document.activeElement).toBe(password))
  expect(password.getAttribute('aria-invalid')).toBe('true')
  expect(save.disabled).toBe(true)
  await user.type(password, 'again')
  expect(screen.queryByText('Enter this again.')).toBeNull()
  await user.click(save)
  await waitFor(() => expect(Object.values(world.integrations.secrets)).toContain('again'))
  expect(await screen.findByText('The connection works')).toBeTruthy()
})

test('what is not there leads back to what is', async () => {
  const { router } = openApp(`${HOME}/description/i-nothing`)
  const list = await screen.findByRole('link', { name: 'See all connections' })
  expect(list.getAttribute('href')).toBe(HOME)
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
  await router.navigate(`${HOME}/setup/nothing`)
  expect((await screen.findByRole('link', { name: 'See the catalogue' })).getAttribute('href')).toBe(`${HOME}/create`)
})

test('consent: what to register is shown to copy, and the browser is sent to the platform', async () => {
  const leave = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  const { user } = openApp(`${HOME}/setup/google_ads`)
  expect(await screen.findByText('http://localhost:4600/sso/callback')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('Name'))
  const missing = screen.getByText('Still to fill in: Name, Client ID, Client secret and Customer ID.')
  const button = screen.getByRole('button', { name: 'Continue to Google' })
  expect(button.getAttribute('aria-describedby')).toBe(missing.id)
  const invented = screen.getByRole('switch', { name: /^Try it with sample data/ })
  await user.type(screen.getByLabelText('Client ID'), 'mine')
  await user.click(invented)
  expect(screen.queryByText(/^Still to fill in/)).toBeNull()
  for (const label of ['Client ID', 'Client secret', 'Refresh token']) expect(screen.queryByLabelText(label)).toBeNull()
  await user.click(invented)
  expect(screen.getByLabelText<HTMLInputElement>('Client ID').value).toBe('mine')
  expect(screen.getByLabelText<HTMLInputElement>('Client secret').value).toBe('')
  await user.click(invented)
  expect(screen.queryByText('http://localhost:4600/sso/callback')).toBeNull()
  expect(screen.getByLabelText<HTMLInputElement>('Customer ID').value).toBe('123-456-7890')
  await user.click(screen.getByRole('button', { name: 'Continue to Google' }))
  await waitFor(() => expect(leave).toHaveBeenCalledWith(expect.stringContaining('/simulators/google_ads/')))
  expect(sessionStorage.getItem('trellis.consent')).toContain(`${HOME}/description/`)
})

test('a pasted token takes the place of consent', async () => {
  const { user } = openApp(`${HOME}/setup/google_ads`)
  await user.type(await screen.findByLabelText('Refresh token'), 'pasted')
  expect(screen.getByRole('button', { name: 'Connect' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Continue to Google' })).toBeNull()
})

test('the description tells settings, use and history, and refuses to delete what is used', async () => {
  const { user } = openApp(`${HOME}/description/i-shop`)
  expect(await screen.findByText('db.example.com')).toBeTruthy()
  expect(screen.getByText('kept, never shown')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  const dialog = within(screen.getByRole('dialog'))
  expect(dialog.getByText('Nightly orders')).toBeTruthy()
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete' }).disabled).toBe(true)
})

test('what nothing uses is deleted', async () => {
  const { user, world, router } = openApp(`${HOME}/description/i-broken`)
  await user.click(await screen.findByRole('button', { name: 'Delete' }))
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('Connection deleted.')).toBeTruthy()
  await screen.findByRole('table', { name: 'Connections' })
  expect(router.state.location.pathname).toBe(HOME)
  expect(world.integrations.list.some((integration) => integration.integration_trellis_code === 'i-broken')).toBe(false)
})

test('sample rows come with their columns, keys and cursors', async () => {
  const { user } = openApp(`${HOME}/description/i-shop?tab=sample`)
  await user.click(await screen.findByRole('radio', { name: /^customers/ }))
  await user.click(screen.getByRole('button', { name: 'Show rows' }))
  expect(await screen.findByRole('grid', { name: 'Sample rows' })).toBeTruthy()
  expect(
    screen.getByText('The sampled rows are identified by id. New and changed rows can be followed by id.'),
  ).toBeTruthy()
  const columns = within(screen.getByRole('table', { name: 'Columns' }))
  expect(columns.getByText('33 %')).toBeTruthy()
})

test('the managed database is shown as such and leads to the explorer', async () => {
  openApp(`${HOME}/description/w-northwind-growth-db`)
  const link = await screen.findByRole('link', { name: 'Open in the explorer' })
  expect(link.getAttribute('href')).toBe('/northwind/growth/explorer/w-northwind-growth-db')
  expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull()
})

test('viewers see connections and can change nothing', async () => {
  const { router } = openApp(HOME, { accounts: viewer() })
  await screen.findByRole('table', { name: 'Connections' })
  expect(screen.queryByRole('link', { name: 'Connect' })).toBeNull()
  await router.navigate(`${HOME}/description/i-shop`)
  expect(await screen.findByText('db.example.com')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull()
  expect(screen.queryByRole('tab', { name: 'Sample' })).toBeNull()
  await router.navigate(`${HOME}/setup/postgresql`)
  expect(await screen.findByRole('heading', { name: 'You can look, but not connect' })).toBeTruthy()
})

test('a check that goes on is shown as it goes', async () => {
  const going = fakeIntegration({ state: 'VALIDATING', patience: 1 })
  going.check = { ...going.check, status: 'VALIDATING', state: 'VALIDATING', finished_at: null, found: [] }
  openApp(`${HOME}/description/i-shop`, { integrations: createIntegrations({ list: [going] }) })
  expect(await screen.findByText('Testing the connection')).toBeTruthy()
  expect(await screen.findByText('The connection works')).toBeTruthy()
  expect(await screen.findByText('Works')).toBeTruthy()
})

test('a check that ends before it is asked about is shown as ended', async () => {
  const going = fakeIntegration({ state: 'VALIDATING' })
  const { world } = openApp(`${HOME}/description/i-shop`, { integrations: createIntegrations({ list: [going] }) })
  expect(await screen.findByText('The connection works')).toBeTruthy()
  expect(screen.getByText('Checking')).toBeTruthy()
  for (const integration of world.integrations.list) integration.state = 'ACTIVE'
  expect(await screen.findByText('Works', {}, { timeout: 10_000 })).toBeTruthy()
})
