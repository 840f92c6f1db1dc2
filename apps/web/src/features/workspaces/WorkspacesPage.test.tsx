import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { storeSignedUp, consumeNotice } from '../../app/session/handover.ts'
import { createCompany, daysFromNow, invite } from '../../testing/fake-company.ts'
import { account } from '../../testing/fake-world.ts'
import { openApp } from '../../testing/render-app.tsx'

const past = '2025-01-01T00:00:00Z'
const over = { stripe_plan_cancelled_at: past, stripe_plan_end_date: past }

test('lists each account with its workspaces', async () => {
  openApp('/workspaces')
  const table = await screen.findByRole('table', { name: 'Workspaces of Northwind' })
  expect(
    within(table)
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent),
  ).toEqual(['GrowthgrowthAdminOnline', 'FinancefinanceAdminOnline', 'Supply chainsupplychainAdminOnline'])
})

test('with no accounts it says so, offers one, and has nowhere to put a workspace', async () => {
  openApp('/workspaces', { accounts: [] })
  expect(await screen.findByRole('heading', { name: 'No accounts' })).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'New workspace' }).disabled).toBe(true)
  expect(screen.getByRole('link', { name: 'New account' }).getAttribute('href')).toBe('/create-account')
})

test('an expired plan makes its workspaces unavailable and hides menus and settings', async () => {
  const { user, router } = openApp('/workspaces', { accounts: [account('Old', ['Main'], over)] })
  expect(await screen.findByText('Plan expired')).toBeTruthy()
  expect(screen.getByText('Unavailable')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Actions for/ })).toBeNull()
  expect(screen.queryByRole('link', { name: 'Settings of Old' })).toBeNull()
  await user.click(screen.getByText('Main'))
  expect(router.state.location.pathname).toBe('/workspaces')
  await user.click(screen.getByRole('button', { name: 'Renew plan' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/plan-select'))
  expect(router.state.location.state).toEqual({ account: { trellis_code: 'old', name: 'Old' } })
})

test('a cancelled plan counts its days and keeps everything open', async () => {
  openApp('/workspaces', {
    accounts: [
      account('Leaving', ['Main'], { stripe_plan_cancelled_at: past, stripe_plan_end_date: daysFromNow(9.5) }),
    ],
  })
  expect(await screen.findByText('10 days left until plan expires')).toBeTruthy()
  expect(screen.getByText('Online')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Settings of Leaving' }).getAttribute('href')).toBe('/leaving/settings')
  expect(screen.getByRole('button', { name: 'Renew plan' })).toBeTruthy()
})

test('those who may not pay are not asked to renew, but find the data of the account and the way out', async () => {
  const { user, router } = openApp('/workspaces', {
    accounts: [account('Old', ['Main'], { ...over, role: 'account_view' }), account('Northwind', ['Growth'])],
  })
  expect(await screen.findByText('Plan expired')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Renew plan' })).toBeNull()
  await user.click(screen.getByRole('link', { name: 'View data of Old' }))
  expect(await screen.findByRole('heading', { name: 'Account deactivated' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Read and export Main' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Leave account…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Leave Old?' }))
  await user.click(dialog.getByRole('button', { name: 'Leave account' }))
  expect(await screen.findByText('You left Old.')).toBeTruthy()
  await waitFor(() => expect(router.state.location.pathname).toBe('/workspaces'))
})

test('a row enters the dashboard; its menu leads to the settings', async () => {
  const { user, router } = openApp('/workspaces')
  await user.click(await screen.findByRole('button', { name: 'Actions for Growth' }))
  await user.click(screen.getByRole('menuitem', { name: 'Settings' }))
  // The list stays until the settings have loaded: waiting avoids clicks on its rows.
  await screen.findByLabelText('Workspace name')
  expect(router.state.location.pathname).toBe('/northwind/growth/settings')
  await router.navigate('/workspaces')
  await user.click(await screen.findByText('finance'))
  await waitFor(() => expect(router.state.location.pathname).toBe('/northwind/finance/dashboard'))
})

test('a workspace is deleted only after the box is ticked, and can be brought back', async () => {
  const { user, world } = openApp('/workspaces')
  await user.click(await screen.findByRole('button', { name: 'Actions for Growth' }))
  await user.click(screen.getByRole('menuitem', { name: 'Delete' }))
  const dialog = await screen.findByRole('dialog', { name: 'Delete Growth?' })
  const confirm = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Delete' })
  expect(confirm.disabled).toBe(true)
  await user.click(within(dialog).getByLabelText('I understand this action will result in permanent loss of data.'))
  await user.click(confirm)
  expect(await screen.findByText('Workspace successfully deleted.')).toBeTruthy()
  expect(world.accounts[0]?.workspaces.map((workspace) => workspace.name)).toEqual(['Finance', 'Supply chain'])
  expect(await screen.findByRole('heading', { name: 'Recently deleted' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Restore Growth' }))
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Recently deleted' })).toBeNull())
  expect(world.company.deleted).toEqual([])
})

test('a failed deletion is told in the dialog and changes nothing', async () => {
  const { user, world } = openApp('/workspaces', { broken: new Set(['deleteWorkspace']) })
  await user.click(await screen.findByRole('button', { name: 'Actions for Growth' }))
  await user.click(screen.getByRole('menuitem', { name: 'Delete' }))
  await user.click(await screen.findByRole('checkbox'))
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('Failed to delete workspace. Please try again.')).toBeTruthy()
  expect(world.accounts[0]?.workspaces).toHaveLength(3)
})

test('who may only look is offered no deletion', async () => {
  const { user } = openApp('/workspaces')
  await user.click(await screen.findByRole('button', { name: 'Actions for Experiments' }))
  expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(['Settings'])
})

test('a failure is explained and can be tried again', async () => {
  const { user, world } = openApp('/workspaces', { broken: new Set(['listAccounts']) })
  expect(await screen.findByText('The database did not answer.')).toBeTruthy()
  expect(screen.getByText('req-fake-1')).toBeTruthy()
  world.broken.clear()
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('Growth')).toBeTruthy()
})

test('the banner greets once after signing up', async () => {
  storeSignedUp()
  const { user } = openApp('/workspaces')
  expect(await screen.findByText('Your profile is activated')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(screen.queryByText('Your profile is activated')).toBeNull()
})

test('sorting a column stands in the address', async () => {
  const { user, router } = openApp('/workspaces')
  const table = await screen.findByRole('table', { name: 'Workspaces of Northwind' })
  await user.click(within(table).getByRole('button', { name: 'Workspace' }))
  expect(router.state.location.search).toBe('?sort=name')
  await waitFor(() => expect(within(table).getAllByRole('row')[1]?.textContent).toContain('Finance'))
})

test('an invite waits above the list; accepting it loads the product anew', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  const { user, world } = openApp('/workspaces', {
    company: createCompany({ invites: [invite(5, 'ada@example.com')] }),
  })
  expect(await screen.findByText('Grace Hopper invites you to the account Harbour Works.')).toBeTruthy()
  expect(await screen.findByText('Growth')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Accept invite' }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/workspaces'))
  expect(world.company.invites).toEqual([])
  expect(consumeNotice()).toEqual({ tone: 'success', text: 'Invite accepted' })
  assign.mockRestore()
})

test('without an account the first invite is the whole page; declining it leads on', async () => {
  const company = createCompany({ invites: [invite(5, 'ada@example.com')] })
  const { user, router, world } = openApp('/workspaces', { accounts: [], company })
  expect(await screen.findByRole('heading', { name: 'Pending invite' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'New workspace' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Decline invite' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/account/invite-declined'))
  expect(world.company.invites).toEqual([])
  expect(await screen.findByRole('link', { name: 'Create workspace' })).toBeTruthy()
})

test('an invite that cannot be answered says so', async () => {
  const { user } = openApp('/workspaces', {
    broken: new Set(['acceptInvite']),
    company: createCompany({ invites: [invite(5, 'ada@example.com')] }),
  })
  await user.click(await screen.findByRole('button', { name: 'Accept invite' }))
  expect(await screen.findByText('Something went wrong, try again.')).toBeTruthy()
})

test('invites that were answered or ran out are not offered again', async () => {
  openApp('/workspaces', {
    company: createCompany({ invites: [invite(5, 'ada@example.com', { has_expired: true })] }),
  })
  await screen.findByText('Growth')
  expect(screen.queryByText('Pending invite')).toBeNull()
})
