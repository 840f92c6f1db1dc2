import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createDatabaseAdmin, FAKE_PASSWORD } from '../../../testing/fake-database-admin.ts'
import { openApp } from '../../../testing/render-app.tsx'

const PAGE = '/northwind/growth/explorer/w-northwind-growth-db/connection'

test('strings for the chosen login and tool, the password never shown', async () => {
  const { user } = openApp(PAGE)
  await user.selectOptions(await screen.findByLabelText('Tool'), 'uri')
  expect(screen.getByLabelText('URI (libpq)').textContent).toContain('YOUR_PASSWORD@db.example.com:5433/growth')
  await user.type(screen.getByLabelText(/^Password/), FAKE_PASSWORD)
  const text = screen.getByLabelText('URI (libpq)').textContent ?? ''
  expect(text).toContain('••••••••')
  expect(text).not.toContain(FAKE_PASSWORD)
  await user.click(screen.getByRole('button', { name: 'Test from here' }))
  expect(await screen.findByText('It works')).toBeTruthy()
})

test('my address is let in; taking the last way in away asks twice', async () => {
  const { user, world } = openApp(PAGE)
  await user.click(await screen.findByRole('button', { name: 'Add my IP' }))
  const dialog = within(screen.getByRole('dialog'))
  expect(dialog.getByLabelText<HTMLInputElement>('Address or range').value).toBe('203.0.113.7/32')
  await user.click(dialog.getByRole('button', { name: 'Add rule' }))
  expect(await screen.findByText('203.0.113.7/32')).toBeTruthy()
  expect(world.databaseAdmin.firewall.rules).toHaveLength(2)
  world.databaseAdmin.firewall.rules.pop()
  await user.click(screen.getByRole('button', { name: 'Remove Office' }))
  world.databaseAdmin.firewall.rules = []
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }))
  expect(await screen.findByText('Rule removed.')).toBeTruthy()
})

test('shutting oneself out is said before it is done', async () => {
  const { user, world } = openApp(PAGE)
  await user.click(await screen.findByRole('button', { name: 'Remove Office' }))
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }))
  expect(await screen.findByRole('heading', { name: 'Shut yourself out?' })).toBeTruthy()
  expect(world.databaseAdmin.firewall.rules).toHaveLength(1)
  await user.click(screen.getByRole('button', { name: 'Remove all the same' }))
  expect(await screen.findByText('Nobody can connect from outside')).toBeTruthy()
  expect(world.databaseAdmin.firewall.rules).toEqual([])
})

test('a rule needs a name and an address that is one; the whole internet is warned about', async () => {
  const { user } = openApp(PAGE)
  await user.click(await screen.findByRole('button', { name: 'Add a rule' }))
  const dialog = within(screen.getByRole('dialog'))
  await user.type(dialog.getByLabelText('Address or range'), '203.0.113')
  await user.click(dialog.getByRole('button', { name: 'Add rule' }))
  expect(dialog.getByText(/An address or a range/)).toBeTruthy()
  expect(dialog.getByText('Field required')).toBeTruthy()
  await user.clear(dialog.getByLabelText('Address or range'))
  await user.type(dialog.getByLabelText('Address or range'), '0.0.0.0/0')
  expect(dialog.getByText('That is the whole internet')).toBeTruthy()
})

test('every address is let in only when that is confirmed, and is marked in the list', async () => {
  const { user, world } = openApp(PAGE)
  await user.click(await screen.findByRole('button', { name: 'Add a rule' }))
  const dialog = within(screen.getByRole('dialog'))
  await user.type(dialog.getByLabelText('Rule name'), 'Anywhere')
  await user.type(dialog.getByLabelText('Address or range'), '0.0.0.0/0')
  await user.click(dialog.getByRole('button', { name: 'Add rule' }))
  const confirm = await dialog.findByRole('button', { name: 'Let every address in' })
  expect(dialog.getByText('These rules let in every IPv4 address.')).toBeTruthy()
  expect(world.databaseAdmin.firewall.rules).toHaveLength(1)
  await user.click(confirm)
  expect(await screen.findByText('Any address')).toBeTruthy()
})

test('typing while a rule is on its way neither changes it nor keeps the dialog open', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { user, world } = openApp(PAGE, { late: new Map([['addFirewallRule', promise]]) })
  await user.click(await screen.findByRole('button', { name: 'Add a rule' }))
  const dialog = within(screen.getByRole('dialog'))
  await user.type(dialog.getByLabelText('Address or range'), '203.0.113.9')
  await user.type(dialog.getByLabelText('Rule name'), 'Depot{Enter}')
  await user.type(dialog.getByLabelText('Rule name'), ' two')
  resolve()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(world.databaseAdmin.firewall.rules.map(({ name }) => name)).toEqual(['Office', 'Depot'])
})

test('a rule is edited in its place', async () => {
  const { user, world } = openApp(PAGE)
  await user.click(await screen.findByRole('button', { name: 'Edit Office' }))
  const dialog = within(screen.getByRole('dialog'))
  const address = dialog.getByLabelText<HTMLInputElement>('Address or range')
  expect(address.value).toBe('203.0.113.0/24')
  await user.clear(address)
  await user.type(address, '203.0.113.64/26')
  await user.click(dialog.getByRole('button', { name: 'Save rule' }))
  expect(await screen.findByText('Rule saved.')).toBeTruthy()
  expect(world.databaseAdmin.firewall.rules).toMatchObject([{ name: 'Office', cidr: '203.0.113.64/26' }])
})

test('reachability is answered wall by wall, connections can be ended', async () => {
  const { user, world } = openApp(PAGE)
  await user.selectOptions(await screen.findByLabelText('Do what'), 'write')
  await user.click(screen.getByRole('button', { name: 'Check' }))
  expect(await screen.findByText('No, they could not')).toBeTruthy()
  expect(within(screen.getByRole('list', { name: 'Steps' })).getByText('The rule Office')).toBeTruthy()
  await user.click(await screen.findByRole('button', { name: 'End connection 4711' }))
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'End' }))
  expect(await screen.findByText('Connection ended.')).toBeTruthy()
  expect(world.databaseAdmin.sessions).toEqual([])
})

test('a server that is not ours says what must be set there', async () => {
  const { firewall, connection } = createDatabaseAdmin()
  openApp(PAGE, {
    databaseAdmin: createDatabaseAdmin({
      firewall: {
        ...firewall,
        rules: [],
        enforcement: 'outside',
        instructions: 'Allow 203.0.113.0/24 in pg_hba.conf.',
      },
      connection: { ...connection, is_reachable_from_outside: false, certificate: null },
    }),
  })
  expect(await screen.findByText('Allow 203.0.113.0/24 in pg_hba.conf.')).toBeTruthy()
  expect(await screen.findByText('this machine only')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Certificate' })).toBeNull()
})
