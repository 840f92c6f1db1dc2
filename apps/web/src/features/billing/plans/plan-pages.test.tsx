import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createBilling } from '../../../testing/fake-billing.ts'
import { createCompany, member } from '../../../testing/fake-company.ts'
import { account } from '../../../testing/fake-world.ts'
import { openApp } from '../../../testing/render-app.tsx'
import { openAt } from '../testing/open-at.tsx'
import { stubTab } from '../testing/stub-tab.ts'

const NEW = { temporaryAccount: { id: 77, name: 'Harbour Works' } }
const OLD = { account: { trellis_code: 'northwind', name: 'Northwind' } }
const GB = 1_073_741_824

const usage = (users: number, workspaces: number, gb: number) =>
  createCompany({
    usage: {
      ...createCompany().usage,
      users,
      workspaces,
      trellis_managed_database_storage_used: Math.round(gb * GB),
    },
  })
const card = (name: string) => within(screen.getByRole('region', { name }))

beforeEach(() => {
  document.head.innerHTML = '<meta name="trellis-support" content="help@example.com">'
})
afterEach(() => {
  document.head.innerHTML = ''
})

test('plan select names the account and offers three plans', async () => {
  openAt('/plan-select', NEW)
  expect(await screen.findByRole('heading', { name: 'Select a plan for account: Harbour Works' })).toBeTruthy()
  const basic = await screen.findByRole('link', { name: 'Select plan Basic' })
  expect(basic.getAttribute('href')).toBe('/sandbox-pay/checkout/77-basic')
  expect(screen.getByRole('link', { name: 'Select plan Team' }).getAttribute('href')).toBe(
    '/sandbox-pay/checkout/77-team',
  )
  expect(card('Enterprise').getByRole('button', { name: 'Contact us' })).toBeTruthy()
  expect(card('Basic').getByText('$950.00')).toBeTruthy()
  expect(card('Team').getByText('$3,000.00')).toBeTruthy()
})

test('three placeholders stand in until the links have come', async () => {
  openAt('/plan-select', NEW)
  expect(await screen.findAllByTestId('plan-placeholder')).toHaveLength(3)
  await screen.findByRole('link', { name: 'Select plan Basic' })
  expect(screen.queryAllByTestId('plan-placeholder')).toHaveLength(0)
})

test('with no account to select for it begins with naming one', async () => {
  const { router } = openApp('/plan-select')
  await waitFor(() => expect(router.state.location.pathname).toBe('/create-account'))
})

test('links that do not come are told and can be asked for again', async () => {
  const { user, world } = openAt('/plan-select', NEW, { broken: new Set(['getNewAccountPlans']) })
  expect(await screen.findByRole('heading', { name: 'The plans could not be loaded' })).toBeTruthy()
  world.broken.clear()
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('link', { name: 'Select plan Team' })).toBeTruthy()
})

test('the choice is remembered for the way back from the checkout', async () => {
  const { user } = openAt('/plan-select', NEW)
  const link = await screen.findByRole('link', { name: 'Select plan Team' })
  link.addEventListener('click', (event) => event.preventDefault())
  await user.click(link)
  expect(JSON.parse(sessionStorage.getItem('trellis.plan-select') ?? '')).toEqual(NEW)
})

test('an account whose plan is over pays again, but not for a plan it does not fit into', async () => {
  const { user } = openAt('/plan-select', OLD, { company: usage(6, 3, 1) })
  const basic = await screen.findByRole('link', { name: 'Select plan Basic' })
  expect(basic.getAttribute('aria-disabled')).toBe('true')
  await user.click(basic)
  expect(sessionStorage.getItem('trellis.plan-select')).toBeNull()
  expect(screen.getByText('This plan can’t be selected')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Select plan Team' }).getAttribute('href')).toBe(
    '/sandbox-pay/checkout/northwind-team',
  )
})

test('an expired account with too much for Basic chooses what to keep and can then select it', async () => {
  const people = Array.from({ length: 6 }, (_, at) => member(at + 1, `Person${at + 1} Six`, { is_owner: at === 0 }))
  const { user, world } = openAt('/plan-select', OLD, {
    accounts: [account('Northwind', ['Growth', 'Finance'])],
    company: { ...usage(6, 2, 1), members: people, invited: [] },
  })
  await user.click(await screen.findByRole('button', { name: 'Choose what to keep…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Choose what to keep on Basic' }))
  const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete the rest' })
  await user.click(await dialog.findByLabelText(/Finance/))
  await user.click(dialog.getByLabelText('I understand this action will result in permanent loss of data.'))
  expect(dialog.getByText('People to keep: 6 of at most 5')).toBeTruthy()
  expect(confirm.disabled, 'one seat too many').toBe(true)
  await user.click(dialog.getByLabelText(/Person6/))
  expect(dialog.getByLabelText<HTMLInputElement>(/Person1/).disabled, 'the owner stays').toBe(true)
  await user.click(confirm)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(world.accounts[0]?.workspaces.map((workspace) => workspace.name)).toEqual(['Finance'])
  expect(world.company.members).toHaveLength(5)
  await waitFor(() =>
    expect(screen.getByRole('link', { name: 'Select plan Basic' }).getAttribute('href')).toBe(
      '/sandbox-pay/checkout/northwind-basic',
    ),
  )
  expect(screen.queryByText('This plan can’t be selected')).toBeNull()
})

test('contact us writes to the address of the provider', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  const { user } = openAt('/plan-select', NEW)
  await user.click(await screen.findByRole('button', { name: 'Contact us' }))
  expect(assign).toHaveBeenCalledWith('mailto:sales@example.com')
  assign.mockRestore()
})

test('plan change marks the current plan and cannot choose it', async () => {
  openApp('/northwind/plan-change', { company: usage(1, 1, 1) })
  expect(await screen.findByRole('heading', { name: 'Change plan' })).toBeTruthy()
  expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Current plan' })).disabled).toBe(true)
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Select plan Basic' }).disabled).toBe(false)
})

test('a plan too small for current use is blocked with its three lines', async () => {
  openApp('/northwind/plan-change', { company: usage(6, 3, 61.254) })
  expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Select plan Basic' })).disabled).toBe(true)
  const note = within(screen.getByRole('note'))
  expect(note.getByText('This plan can’t be selected')).toBeTruthy()
  expect(note.getByText('Your current usage exceeds the limits of this plan:')).toBeTruthy()
  expect(note.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'User seats: 6 in use (Limit: 5)',
    'Workspaces: 3 created (Limit: 1)',
    'DB storage: 61.25 GB in use (Limit: 50.00 GB)',
  ])
})

test('going down shows what is lost before the portal opens in a new tab', async () => {
  const tab = stubTab()
  const { user, world } = openApp('/northwind/plan-change', { company: usage(1, 1, 1) })
  await user.click(await screen.findByRole('button', { name: 'Select plan Basic' }))
  const dialog = within(screen.getByRole('dialog', { name: 'Downgrade plan?' }))
  expect(dialog.getByText('By downgrading, you will lose access to:')).toBeTruthy()
  expect(dialog.getByText('Unlimited workspaces')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(world.billing.opened).toEqual([])

  await user.click(screen.getByRole('button', { name: 'Select plan Basic' }))
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(tab.replace).toHaveBeenCalledWith('/sandbox-pay/portal/change-basic'))
  expect(tab.open).toHaveBeenCalledWith('', '_blank')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('going up opens the portal at once', async () => {
  const tab = stubTab()
  const { user } = openApp('/northwind/plan-change', {
    company: usage(1, 1, 1),
    billing: createBilling({ plan: { ...createBilling().plan, account_type: 'basic' } }),
  })
  await user.click(await screen.findByRole('button', { name: 'Select plan Team' }))
  await waitFor(() => expect(tab.replace).toHaveBeenCalledWith('/sandbox-pay/portal/change-team'))
})

test('a refusal closes the tab again and says why', async () => {
  const tab = stubTab()
  const { user, world } = openApp('/northwind/plan-change', { company: usage(1, 1, 1) })
  await screen.findByRole('button', { name: 'Current plan' })
  world.broken.add('getPlanChangeLink')
  await user.click(screen.getByRole('button', { name: 'Select plan Basic' }))
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  expect(await screen.findByText('Something went wrong. Please try again. The database did not answer.')).toBeTruthy()
  expect(tab.close).toHaveBeenCalled()
})

test('enterprise writes to the support where there is no page to schedule a call at', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  const { user } = openApp('/northwind/plan-change')
  await user.click(await screen.findByRole('button', { name: 'Contact us' }))
  expect(assign).toHaveBeenCalledWith('mailto:help@example.com?subject=Enterprise%20plan')
  assign.mockRestore()
})

test('enterprise opens the page to schedule a call at in a new tab', async () => {
  document.head.innerHTML += '<meta name="trellis-booking-url" content="https://calls.example.com/book">'
  const tab = stubTab()
  const { user } = openApp('/northwind/plan-change')
  await user.click(await screen.findByRole('button', { name: 'Contact us' }))
  expect(tab.replace).toHaveBeenCalledWith('https://calls.example.com/book')
})

test('who may not pay sees the plans but cannot choose', async () => {
  openApp('/northwind/plan-change', {
    accounts: [account('Northwind', ['Growth'], { role: 'account_view' })],
    company: usage(1, 1, 1),
  })
  expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Select plan Basic' })).disabled).toBe(true)
  expect(screen.getByText('Only an owner or admin of the account can change the plan.')).toBeTruthy()
})

test('plan details that do not come are told and can be asked for again', async () => {
  const { user, world } = openApp('/northwind/plan-change', { broken: new Set(['getUsage']) })
  expect(await screen.findByRole('heading', { name: 'Could not load plan details.' })).toBeTruthy()
  world.broken.clear()
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('button', { name: 'Current plan' })).toBeTruthy()
})

test('an account without a plan of its own has none to change', async () => {
  const plan = {
    ...createBilling().plan,
    account_type: 'internal',
    is_plan_managed: false,
    status: 'unmanaged' as const,
  }
  openApp('/northwind/plan-change', { billing: createBilling({ plan }) })
  expect(await screen.findByText('Your subscription is managed by your account manager')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Select plan/ })).toBeNull()
})

test('the AI area changes the plan at an address of its own', async () => {
  openApp('/northwind/growth/ai/plan-change')
  expect(await screen.findByRole('button', { name: 'Current plan' })).toBeTruthy()
  expect(document.documentElement.dataset['theme']).toBe('dark')
})
