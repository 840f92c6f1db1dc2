import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createDatabaseAdmin, FAKE_PASSWORD } from '../../testing/fake-database-admin.ts'
import { account } from '../../testing/fake-world.ts'
import { openApp } from '../../testing/render-app.tsx'

const ROOT = '/northwind/growth/explorer/w-northwind-growth-db'

test('a role is made from templates, with its SQL seen before', async () => {
  const { user, world, router } = openApp(`${ROOT}/roles`)
  expect(await screen.findByText('Loader on staging; Reader on sales')).toBeTruthy()
  await user.click(screen.getByRole('link', { name: 'New role' }))
  await user.type(await screen.findByLabelText('Role name'), 'Month end')
  await user.click(await screen.findByLabelText('Writer on public'))
  expect(screen.getByLabelText<HTMLInputElement>('Reader on public')).toMatchObject({ checked: true, disabled: true })
  await user.click(screen.getByText('SQL that will run'))
  expect(await screen.findByText(/GRANT USAGE/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Create role' }))
  expect(await screen.findByText('Role created.')).toBeTruthy()
  expect(router.state.location.pathname).toBe(`${ROOT}/roles`)
  expect(world.databaseAdmin.roles.at(-1)).toMatchObject({
    name: 'Month end',
    grants: [{ template: 'writer', schema_name: 'public' }],
  })
})

test('a name that is taken is said at the field; a built-in role can’t be changed', async () => {
  const { user, router } = openApp(`${ROOT}/roles/new`)
  await user.type(await screen.findByLabelText('Role name'), 'Analyst')
  await user.click(await screen.findByLabelText(/^Analyst/))
  await user.click(screen.getByRole('button', { name: 'Create role' }))
  expect((await screen.findAllByText('There is a role with this name.')).length).toBeGreaterThan(0)
  await router.navigate(`${ROOT}/roles/r-reader`)
  expect(await screen.findByText(/can’t be changed/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
})

test('a group gets roles and members, and is deleted after a question', async () => {
  const { user, world } = openApp(`${ROOT}/groups/g-finance`)
  await user.click(await screen.findByLabelText(/Dashboard tool/))
  await user.click(await screen.findByLabelText(/Nightly load/))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Group saved.')).toBeTruthy()
  expect(world.databaseAdmin.groups[0]).toMatchObject({
    role_trellis_codes: ['r-analyst', 'r-loader'],
    profile_trellis_codes: ['p-grace', 'x-bi'],
  })
  await user.click(await screen.findByText('Finance'))
  await user.click(await screen.findByRole('button', { name: 'Delete…' }))
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByRole('heading', { name: 'No groups yet' })).toBeTruthy()
})

test('a member gets a login for outside tools; its password is shown once', async () => {
  const { user, world } = openApp(`${ROOT}/users/p-grace`)
  await user.click(await screen.findByRole('switch', { name: 'May connect with outside tools' }))
  const limit = screen.getByLabelText('Connections at once')
  await user.clear(limit)
  await user.type(limit, '51')
  expect(screen.getByText('Choose a number from 1 to 50')).toBeTruthy()
  await user.clear(limit)
  await user.type(limit, '3')
  await user.click(screen.getByRole('button', { name: 'Make a login' }))
  expect(await screen.findByText(FAKE_PASSWORD)).toBeTruthy()
  await user.keyboard('{Escape}')
  await user.click(screen.getByRole('button', { name: 'I have copied it' }))
  expect(screen.queryByText(FAKE_PASSWORD)).toBeNull()
  expect(world.databaseAdmin.profiles[1]).toMatchObject({ has_external_access: true, connection_limit: 3 })
  await user.click(await screen.findByRole('switch', { name: 'May connect with outside tools' }))
  await user.click(screen.getByRole('button', { name: 'End access' }))
  await waitFor(() => expect(world.databaseAdmin.profiles[1]?.has_external_access).toBe(false))
})

test('a member of the workspace is added', async () => {
  const { user, world } = openApp(`${ROOT}/users/new`, {
    databaseAdmin: createDatabaseAdmin({ profiles: [] }),
  })
  const member = await screen.findByLabelText('Member of the workspace')
  await user.selectOptions(member, 'u-grace')
  await user.click(await screen.findByLabelText(/Nightly load/))
  await user.click(screen.getByRole('button', { name: 'Add user' }))
  expect(await screen.findByText('User added.')).toBeTruthy()
  expect(world.databaseAdmin.profiles[0]).toMatchObject({ role_trellis_codes: ['r-loader'] })
})

test('an external profile is made, rotated with an overlap and revoked by typing', async () => {
  const { user, world } = openApp(`${ROOT}/external-profiles`)
  expect(await screen.findByText('Expired')).toBeTruthy()
  await user.click(screen.getByRole('link', { name: 'New external profile' }))
  await user.type(await screen.findByLabelText('Profile name'), 'Metabase')
  await user.click(await screen.findByLabelText(/^Analyst/))
  await user.click(screen.getByRole('button', { name: 'Create login' }))
  expect(await screen.findByText(FAKE_PASSWORD)).toBeTruthy()
  const uri = await screen.findByLabelText('Connection string')
  expect(uri.textContent).toContain('••••')
  await user.click(screen.getByRole('button', { name: 'I have copied it' }))
  await user.click(await screen.findByText('Metabase'))
  await user.click(await screen.findByRole('button', { name: 'Rotate…' }))
  await user.click(await screen.findByLabelText('One hour'))
  await user.click(screen.getByRole('button', { name: 'Rotate' }))
  await user.click(await screen.findByRole('button', { name: 'I have copied it' }))
  expect(await screen.findByText('Older')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Revoke…' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Revoke' }).disabled).toBe(true)
  await user.type(dialog.getByLabelText('Type revoke to confirm'), 'revoke')
  await user.click(dialog.getByRole('button', { name: 'Revoke' }))
  expect(await screen.findByText('Profile revoked.')).toBeTruthy()
  expect(world.databaseAdmin.externals.map((external) => external.name)).not.toContain('Metabase')
})

test('the matrix shows rights, the way to them and what drifted', async () => {
  const { user } = openApp(`${ROOT}/rights`)
  expect(await screen.findByText('The database is out of sync with what was set here')).toBeTruthy()
  expect(screen.getByRole('button', { name: /^Ada Lovelace on staging: *read *, *Out of sync$/ })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: /^Dashboard tool on sales: *read$/ }))
  expect(within(screen.getByRole('dialog')).getByText('through Finance → Analyst')).toBeTruthy()
})

test('editors see who may what, viewers do not; failures can be tried again', async () => {
  const editor = account('Northwind', ['Growth'], { role: 'account_view' })
  const [growth] = editor.workspaces
  if (growth) growth.role = 'workspace_editor'
  const { user, world } = openApp(`${ROOT}/users`, { accounts: [editor], broken: new Set(['listDatabaseProfiles']) })
  expect(await screen.findByText('The users could not be loaded')).toBeTruthy()
  world.broken.clear()
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('grace@example.com')).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Add user' })).toBeNull()
})

test('viewers are told who keeps the rights', async () => {
  const viewer = account('Northwind', ['Growth'], { role: 'account_view' })
  const [growth] = viewer.workspaces
  if (growth) growth.role = 'workspace_viewer'
  openApp(`${ROOT}/users`, { accounts: [viewer] })
  expect(await screen.findByRole('heading', { name: 'Only editors and admins manage rights' })).toBeTruthy()
})
