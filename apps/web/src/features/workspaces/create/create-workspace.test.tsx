import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { createCompany } from '../../../testing/fake-company.ts'
import { account, createWorld } from '../../../testing/fake-world.ts'
import { openApp } from '../../../testing/render-app.tsx'

afterEach(() => vi.useRealTimers())

type User = ReturnType<typeof openApp>['user']

async function openDialog(user: User) {
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'New workspace' })
  // Disabled until the accounts have loaded.
  await waitFor(() => expect(button.disabled).toBe(false))
  await user.click(button)
}

async function fillDialog(user: User, name = 'Retail') {
  await openDialog(user)
  const accounts = await screen.findByLabelText<HTMLSelectElement>('Account')
  if (accounts.value === '') await user.selectOptions(accounts, 'northwind')
  await user.type(screen.getByLabelText('Workspace name'), name)
}

/** The bar takes seven seconds: moves the fake clock. */
async function passSeconds(seconds: number) {
  for (let at = 0; at < seconds * 10; at += 1) await act(() => vi.advanceTimersByTimeAsync(100))
}

test('the address follows the name until it is written by hand', async () => {
  const { user } = openApp('/workspaces')
  await fillDialog(user, 'Café 24')
  const address = screen.getByLabelText<HTMLInputElement>('Workspace URL')
  await waitFor(() => expect(address.value).toBe('cafe24'))
  await user.clear(address)
  await user.type(address, 'mine')
  await user.type(screen.getByLabelText('Workspace name'), ' more')
  expect(address.value).toBe('mine')
})

test('only accounts one may add to are offered, and leaving the field empty is told', async () => {
  const second = account('Second', [])
  const { user } = openApp('/workspaces', { accounts: [...createWorld().accounts, second] })
  await openDialog(user)
  const select = await screen.findByLabelText<HTMLSelectElement>('Account')
  expect([...select.options].map((option) => option.text)).toEqual(['Choose an account', 'Northwind', 'Second'])
  select.focus()
  await user.tab()
  expect(await screen.findByText('Account is required')).toBeTruthy()
  await user.type(screen.getByLabelText('Workspace name'), ' ')
  await user.tab()
  expect(await screen.findByText('Field required')).toBeTruthy()
})

test('at its limit an account takes no more, and the plans are one click away', async () => {
  const { user } = openApp('/workspaces', { accounts: [account('Small', ['One'], { account_type: 'basic' })] })
  await openDialog(user)
  await user.selectOptions(await screen.findByLabelText('Account'), 'small')
  expect(
    await screen.findByText('Workspace limit reached. Please upgrade your plan to create additional workspaces.'),
  ).toBeTruthy()
  expect(screen.getByRole('link', { name: 'View plans' }).getAttribute('href')).toBe('/small/plan-change')
  expect(screen.getByLabelText<HTMLInputElement>('Workspace name').disabled).toBe(true)
  expect(screen.getByLabelText<HTMLInputElement>('Workspace URL').disabled).toBe(true)
})

test('an address that is taken is told at its field', async () => {
  const { user } = openApp('/workspaces')
  await fillDialog(user, 'Growth')
  await user.click(screen.getByRole('button', { name: 'Create workspace' }))
  expect(await screen.findByText('This address is taken.')).toBeTruthy()
  expect(await screen.findByText('Failed to add workspace. Please try again. This address is taken.')).toBeTruthy()
})

test('the bar passes its four stages and then lets the person in', async () => {
  const { user, world, router } = openApp('/workspaces')
  await fillDialog(user)
  vi.useFakeTimers({ shouldAdvanceTime: true })
  await user.click(screen.getByRole('button', { name: 'Create workspace' }))
  expect(await screen.findByText('Preparing integrations...')).toBeTruthy()
  await passSeconds(2)
  expect(screen.getByText('Spinning up your database...')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Enter workspace' })).toBeNull()
  await passSeconds(2)
  expect(screen.getByText('Creating your data canvas...')).toBeTruthy()
  await passSeconds(4)
  expect(screen.getByText('Workspace successfully set up!')).toBeTruthy()
  const buttons = within(screen.getByRole('dialog').querySelector('footer') as HTMLElement)
  expect(buttons.getByRole('button', { name: 'Back to overview' })).toBeTruthy()
  expect(buttons.getByRole('button', { name: 'Enter workspace' })).toBeTruthy()
  vi.useRealTimers()
  await user.click(screen.getByRole('button', { name: 'Enter workspace' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/northwind/retail/dashboard'))
  expect(world.accounts[0]?.workspaces.at(-1)?.name).toBe('Retail')
})

test('while the database is being made nobody is let in', async () => {
  const { user } = openApp('/workspaces', { company: createCompany({ provisioning: ['provisioning'] }) })
  await fillDialog(user)
  vi.useFakeTimers({ shouldAdvanceTime: true })
  await user.click(screen.getByRole('button', { name: 'Create workspace' }))
  await screen.findByText('Preparing integrations...')
  await passSeconds(12)
  expect(screen.getByText('Creating your data canvas...')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Enter workspace' })).toBeNull()
})

test('a database that could not be made is told, and the form comes back as it was', async () => {
  const { user } = openApp('/workspaces', { company: createCompany({ provisioning: ['failed'] }) })
  await fillDialog(user)
  await user.click(screen.getByRole('button', { name: 'Create workspace' }))
  expect(await screen.findByText('Failed to add workspace. Please try again.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Edit and try again' }))
  expect(screen.getByLabelText<HTMLInputElement>('Workspace name').value).toBe('Retail')
})

test('the first workspace of an account is made on a page of its own', async () => {
  const { user, router } = openApp('/northwind/create-workspace')
  expect(await screen.findByText('Create the initial workspace for this account.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Back to workspace selection' }).getAttribute('href')).toBe('/workspaces')
  await user.type(screen.getByLabelText('Workspace name'), 'First')
  vi.useFakeTimers({ shouldAdvanceTime: true })
  await user.click(screen.getByRole('button', { name: 'Create workspace' }))
  await screen.findByText('Preparing integrations...')
  await passSeconds(8)
  vi.useRealTimers()
  await waitFor(() => expect(router.state.location.pathname).toBe('/northwind/first/dashboard'))
  expect(await screen.findByText('Workspace successfully created.')).toBeTruthy()
  expect(await screen.findByText('First is yours, Ada Lovelace')).toBeTruthy()
})

test('who may not add workspaces has no such page', async () => {
  openApp('/riverside-lab/create-workspace')
  expect(await screen.findByRole('heading', { name: 'This page does not exist' })).toBeTruthy()
})
