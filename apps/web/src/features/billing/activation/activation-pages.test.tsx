import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBilling } from '../../../testing/fake-billing.ts'
import { account } from '../../../testing/fake-world.ts'
import { openApp } from '../../../testing/render-app.tsx'

const PAID = '/plan-activation/77?status=success&account_type=basic'

beforeEach(() => {
  document.head.innerHTML = '<meta name="trellis-support" content="help@example.com">'
})
afterEach(() => {
  document.head.innerHTML = ''
})

test('a paid plan makes the account once and leads on', async () => {
  const { user, world, router } = openApp(PAID)
  expect(await screen.findByRole('heading', { name: 'Plan activated' })).toBeTruthy()
  expect(world.accounts.filter((other) => other.id === 77)).toHaveLength(1)
  expect(screen.getByRole('link', { name: 'Back to workspace selection' }).getAttribute('href')).toBe('/workspaces')
  await user.click(screen.getByRole('link', { name: 'Create workspace' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/made77/create-workspace'))
  expect(localStorage.getItem('trellis.accounts')).toContain('made77')
})

test('it waits while the provider confirms the payment', async () => {
  const { world } = openApp(PAID, { billing: createBilling({ unpaidAnswers: 1 }) })
  expect(await screen.findByRole('heading', { name: 'Activating plan...' })).toBeTruthy()
  expect(await screen.findByText(/Waiting for the payment provider to confirm/)).toBeTruthy()
  expect(world.accounts.some((other) => other.id === 77)).toBe(false)
  expect(await screen.findByRole('heading', { name: 'Plan activated' })).toBeTruthy()
})

test('a canceled checkout makes nothing and names the support', async () => {
  const { world } = openApp('/plan-activation/77?status=canceled&account_type=basic')
  expect(await screen.findByRole('heading', { name: 'Plan activation failed' })).toBeTruthy()
  expect(screen.getByText(/Nothing was charged/)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'help@example.com' }).getAttribute('href')).toBe('mailto:help@example.com')
  expect(screen.getByRole('link', { name: 'Back to workspace selection' })).toBeTruthy()
  expect(world.accounts.some((other) => other.id === 77)).toBe(false)
  expect(screen.queryByRole('button', { name: 'Back to plan selection' })).toBeNull()
})

test('from a canceled checkout one comes back to the plans of the same account', async () => {
  sessionStorage.setItem('trellis.plan-select', '{"temporaryAccount":{"id":77,"name":"Harbour Works"}}')
  const { user } = openApp('/plan-activation/77?status=canceled')
  await user.click(await screen.findByRole('button', { name: 'Back to plan selection' }))
  expect(await screen.findByRole('heading', { name: 'Select a plan for account: Harbour Works' })).toBeTruthy()
})

test('an address typed by hand makes nothing', async () => {
  const { world } = openApp('/plan-activation/77?status=success&account_type=enterprise')
  expect(await screen.findByRole('heading', { name: 'Plan activation failed' })).toBeTruthy()
  expect(world.accounts.some((other) => other.id === 77)).toBe(false)
})

test('an account whose plan was bought again is waited for and can be entered', async () => {
  const over = { ...createBilling().plan, status: 'over' as const }
  const { world } = openApp('/plan-activation/harbour-works?status=success&account_type=team', {
    accounts: [account('Harbour Works', ['Main'])],
    billing: createBilling({ plan: over }),
  })
  expect(await screen.findByRole('heading', { name: 'Activating plan...' })).toBeTruthy()
  world.billing.plan = { ...over, status: 'active' }
  expect(await screen.findByText('The account is on the Team plan.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'View billing' }).getAttribute('href')).toBe(
    '/harbour-works/settings?tab=billing',
  )
})

test('in the AI area the plan of the account is looked at, not made', async () => {
  openApp('/northwind/growth/ai/plan-activation?status=success')
  expect(await screen.findByRole('heading', { name: 'Plan activated' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'View billing' }).getAttribute('href')).toBe('/northwind/growth/ai/billing')
})

test('in the AI area it waits for a plan that is still over', async () => {
  const over = { ...createBilling().plan, status: 'over' as const }
  const { world } = openApp('/northwind/growth/ai/plan-activation', { billing: createBilling({ plan: over }) })
  expect(await screen.findByRole('heading', { name: 'Activating plan...' })).toBeTruthy()
  world.billing.plan = { ...over, status: 'active' }
  expect(await screen.findByRole('heading', { name: 'Plan activated' })).toBeTruthy()
})

test('in the AI area a canceled checkout leads back to its own plan change', async () => {
  openApp('/northwind/growth/ai/plan-activation?status=canceled')
  const link = await screen.findByRole('link', { name: 'Back to plan selection' })
  expect(link.getAttribute('href')).toBe('/northwind/growth/ai/plan-change')
})
