import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { leaveSignedUp } from '../../app/session/handover.ts'
import { account } from '../../testing/fake-world.ts'
import { openApp } from '../../testing/render-app.tsx'

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

test('says so when there are none', async () => {
  openApp('/workspaces', { accounts: [] })
  expect(await screen.findByRole('heading', { name: 'No accounts' })).toBeTruthy()
})

test('an expired plan makes its workspaces unavailable', async () => {
  const past = '2025-01-01T00:00:00Z'
  openApp('/workspaces', {
    accounts: [account('Old', ['Main'], { stripe_plan_cancelled_at: past, stripe_plan_end_date: past })],
  })
  expect(await screen.findByText('Plan expired')).toBeTruthy()
  expect(screen.getByText('Unavailable')).toBeTruthy()
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
  leaveSignedUp()
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
