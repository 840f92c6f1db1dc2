import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { createBilling, type FakeBilling } from '../../testing/fake-billing.ts'
import { createCompany } from '../../testing/fake-company.ts'
import { account } from '../../testing/fake-world.ts'
import { openApp } from '../../testing/render-app.tsx'
import { stubTab } from './testing/stub-tab.ts'

const BILLING = '/northwind/settings?tab=billing'
const USAGE = '/northwind/settings?tab=plan-utilization'
const soon = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

function withPlan(change: Partial<FakeBilling['plan']>) {
  return { billing: createBilling({ plan: { ...createBilling().plan, ...change } }) }
}
const cancelled = (days: number) =>
  withPlan({
    status: days > 0 ? 'cancelling' : 'over',
    stripe_plan_end_date: soon(days),
    stripe_plan_renewal_date: null,
    stripe_plan_cancelled_at: soon(-3),
  })

function withUsage(change: Partial<ReturnType<typeof createCompany>['usage']>) {
  return { company: createCompany({ usage: { ...createCompany().usage, ...change } }) }
}

test('an active plan is current, counts the days until it renews and can be changed or cancelled', async () => {
  const tab = stubTab()
  const { user } = openApp(BILLING)
  expect(await screen.findByRole('heading', { name: 'Current plan' })).toBeTruthy()
  expect(screen.getByText('The Team plan is active')).toBeTruthy()
  expect(screen.getAllByText(/Renews in 18 days/)).toHaveLength(2)
  expect(screen.getByRole('link', { name: 'Change plan' }).getAttribute('href')).toBe('/northwind/plan-change')
  await user.click(screen.getByRole('button', { name: 'Cancel plan' }))
  await waitFor(() => expect(tab.replace).toHaveBeenCalledWith('/sandbox-pay/portal/cancel'))
})

test('a cancelled plan is the latest one and can be renewed at the provider', async () => {
  const tab = stubTab()
  const { user } = openApp(USAGE, cancelled(9.5))
  expect(await screen.findByRole('heading', { name: 'Latest plan' })).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Change plan' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Cancel plan' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Renew plan' }))
  await waitFor(() => expect(tab.replace).toHaveBeenCalledWith('/sandbox-pay/portal/renew'))
})

test('the banner counts the days of a cancelled plan', async () => {
  openApp(BILLING, cancelled(9.5))
  expect(await screen.findByText('10 days left until plan expires')).toBeTruthy()
  expect(screen.getAllByRole('button', { name: 'Renew plan' })).toHaveLength(2)
})

test('a plan that is over is bought again', async () => {
  const { user, router } = openApp(USAGE, cancelled(-1))
  await user.click(await screen.findByRole('link', { name: 'Renew plan' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/plan-select'))
  expect(await screen.findByRole('heading', { name: 'Select a plan for account: Northwind' })).toBeTruthy()
})

test('a failed payment asks for another card', async () => {
  const tab = stubTab()
  const { user } = openApp(BILLING, withPlan({ status: 'past_due' }))
  const banner = (await screen.findByText('The last payment failed')).closest('[role=alert]') as HTMLElement
  await user.click(within(banner).getByRole('button', { name: 'Update payment details' }))
  await waitFor(() => expect(tab.replace).toHaveBeenCalledWith('/sandbox-pay/portal/payment'))
})

test.each(['looked at again', 'left alone with the other tab closed'])(
  'a cancellation that is told late shows by itself, once the page is %s',
  async (how) => {
    const { tab, replace } = stubTab()
    const { user, world } = openApp(BILLING)
    await user.click(await screen.findByRole('button', { name: 'Cancel plan' }))
    await waitFor(() => expect(replace).toHaveBeenCalledWith('/sandbox-pay/portal/cancel'))
    world.billing.later = { answers: 2, plan: cancelled(9.5).billing.plan }
    if (how === 'looked at again') document.dispatchEvent(new Event('visibilitychange'))
    else tab.closed = true
    expect(await screen.findByRole('heading', { name: 'Latest plan' }, { timeout: 30_000 })).toBeTruthy()
    expect(screen.getByText('10 days left until plan expires')).toBeTruthy()
  },
)

test('payment details open in a new tab, and everything is asked again on the way back', async () => {
  const tab = stubTab()
  const { user, world } = openApp(BILLING)
  expect(await screen.findByText('Visa ending in 4242')).toBeTruthy()
  expect(screen.getByText('Expires 04/2031')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Update payment details' }))
  await waitFor(() => expect(tab.replace).toHaveBeenCalledWith('/sandbox-pay/portal/payment'))
  world.billing.card = { brand: 'amex', last4: '0005', exp_month: 12, exp_year: 2032 }
  document.dispatchEvent(new Event('visibilitychange'))
  expect(await screen.findByText('American Express ending in 0005')).toBeTruthy()
})

test('invoices show date, amount, pill and a link in a new tab', async () => {
  openApp(BILLING)
  const table = await screen.findByRole('table', { name: 'Invoices' })
  const rows = within(table).getAllByRole('row').slice(1)
  expect(rows.map((row) => within(row).getAllByRole('cell')[1]?.textContent)).toEqual([
    '$25.00',
    '$3,000.00',
    '$7.50',
    '$3,000.00',
    '$950.00',
  ])
  expect(rows.map((row) => within(row).getAllByRole('cell')[2]?.textContent)).toEqual([
    'Open',
    'Paid',
    'Cancelled',
    'Uncollectible',
    'Draft',
  ])
  const tone = (label: string) => within(table).getByText(label).dataset['tone']
  expect(['Open', 'Draft', 'Paid', 'Cancelled', 'Uncollectible'].map(tone)).toEqual([
    'warning',
    'warning',
    'success',
    'danger',
    'danger',
  ])
  const [link] = within(table).getAllByRole('link')
  expect([link?.getAttribute('target'), link?.getAttribute('href')]).toEqual(['_blank', '/sandbox-pay/invoice/in_5'])
})

test('only the latest five invoices are shown, and none is said', async () => {
  const many = Array.from({ length: 8 }, (_, at) => ({ ...createBilling().invoices[0], id: `in_${at}` }))
  openApp(BILLING, { billing: createBilling({ invoices: many as FakeBilling['invoices'] }) })
  const table = await screen.findByRole('table', { name: 'Invoices' })
  expect(within(table).getAllByRole('row')).toHaveLength(6)
})

test('an account without invoices says what will stand there', async () => {
  openApp(BILLING, { billing: createBilling({ invoices: [], card: null }) })
  expect(await screen.findByText(/No invoices yet/)).toBeTruthy()
  expect(await screen.findByText('No card on file')).toBeTruthy()
})

test.each([
  ['getPlanDetails', BILLING, 'Could not load plan status.', 'The Team plan is active'],
  ['getPlanDetails', USAGE, 'Could not load plan details.', 'Current plan'],
  ['getPaymentDetails', BILLING, 'Could not load payment details.', 'Visa ending in 4242'],
  ['listInvoices', BILLING, 'Could not load invoices.', 'Cancelled'],
  ['getUsage', USAGE, 'Could not load utilization details.', 'User seats'],
])('%s fails on %s: says so and can be tried again', async (...told) => {
  const [call, path, problem, content] = told
  const { user, world } = openApp(path, { broken: new Set([call]) })
  const alert = (await screen.findByText(problem)).closest('[role=alert]') as HTMLElement
  expect(within(alert).getByText('req-fake-1')).toBeTruthy()
  world.broken.clear()
  await user.click(within(alert).getByRole('button', { name: 'Retry' }))
  expect((await screen.findAllByText(content)).length).toBeGreaterThan(0)
  expect(screen.queryByText(problem)).toBeNull()
})

test('usage bars tell when little or nothing is left', async () => {
  openApp(
    USAGE,
    withUsage({
      trellis_current_month_ai_tokens_available: 500,
      trellis_current_month_ai_tokens_remaining: 100,
      trellis_purchased_ai_tokens_available: 300,
      trellis_purchased_ai_tokens_remaining: 0,
      trellis_managed_database_storage_used: 1_610_612_736,
    }),
  )
  const level = async (name: string) =>
    (await screen.findByRole('progressbar', { name })).querySelector<HTMLElement>('[data-level]')?.dataset['level']
  expect(await level('Monthly prompt credits')).toBe('warning')
  expect(await level('Add-on credits')).toBe('full')
  expect(await level('Database storage')).toBe('normal')
  expect(screen.getAllByText('Nearing your monthly limit')).toHaveLength(1)
  expect(screen.getAllByText('Usage limit reached - Buy Credits or Upgrade Plan')).toHaveLength(1)
  expect(screen.getByText('1.50 GB of 200.00 GB')).toBeTruthy()
  expect(screen.getByText(/Credits renew in \d+ days\./)).toBeTruthy()
})

test('a new customer with one workspace of one and one seat of one is not alarmed', async () => {
  openApp(USAGE, withUsage({ users: 1, users_limit: 1, workspaces: 1, workspaces_limit: 1 }))
  const level = async (name: string) =>
    (await screen.findByRole('progressbar', { name })).querySelector<HTMLElement>('[data-level]')?.dataset['level']
  expect([await level('Workspaces'), await level('User seats')]).toEqual(['normal', 'normal'])
  expect(screen.getAllByText('1 of 1')).toHaveLength(2)
  expect(screen.queryByText(/Usage limit reached|More than the plan allows/)).toBeNull()
})

test('more workspaces than the plan allows are told', async () => {
  openApp(USAGE, withUsage({ workspaces: 2, workspaces_limit: 1 }))
  expect(await screen.findByText('More than the plan allows')).toBeTruthy()
})

test('back from the checkout the credits that came are confirmed, once', async () => {
  sessionStorage.setItem('trellis.awaited-credits', 'northwind:300')
  openApp(
    USAGE,
    withUsage({ trellis_purchased_ai_tokens_available: 1500, trellis_purchased_ai_tokens_remaining: 1500 }),
  )
  expect(await screen.findByText('1,200 credits were added.')).toBeTruthy()
  expect(sessionStorage.getItem('trellis.awaited-credits')).toBeNull()
})

test('credits that never were bought are not called used up, and free ones are hidden at 0', async () => {
  openApp(USAGE, withUsage({ trellis_purchased_ai_tokens_available: 0, trellis_purchased_ai_tokens_remaining: 0 }))
  expect(await screen.findByText('None bought')).toBeTruthy()
  expect(screen.queryByText(/Usage limit reached/)).toBeNull()
  expect(screen.queryByText('Free credits')).toBeNull()
})

test('free credits that were given are shown even when they are spent', async () => {
  openApp(USAGE, withUsage({ trellis_free_ai_tokens_available: 40, trellis_free_ai_tokens_remaining: 10 }))
  expect(await screen.findByText('Free credits')).toBeTruthy()
  expect(screen.getByText('30 of 40')).toBeTruthy()
})

async function openDialog(user: ReturnType<typeof openApp>['user']) {
  await user.click(await screen.findByRole('button', { name: 'Buy credits' }))
  return within(screen.getByRole('dialog', { name: 'Buy credits' }))
}

test('the amount of credits is checked in its own words', async () => {
  const { user } = openApp(USAGE)
  const dialog = await openDialog(user)
  const field = dialog.getByLabelText('Number of credits')
  const problems: [string, string][] = [
    ['ten', 'Must be a number'],
    ['-100', 'Must be a positive number'],
    ['100000', 'Maximum amount is 99,900'],
    ['150', 'Must be a multiple of 100'],
    [' ', 'Field required'],
  ]
  for (const [typed, problem] of problems) {
    await user.clear(field)
    await user.type(field, typed)
    await user.tab()
    expect(await dialog.findByText(problem)).toBeTruthy()
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Go to checkout' }).disabled).toBe(true)
    expect(dialog.getByRole('status').textContent).toBe('Total–')
  }
})

test('buying credits shows the price and leads to the checkout', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  const { user, world } = openApp(USAGE)
  const dialog = await openDialog(user)
  await user.type(dialog.getByLabelText('Number of credits'), '300')
  expect(dialog.getByRole('status').textContent).toBe('Total$7.50')
  await user.click(dialog.getByRole('button', { name: 'Go to checkout' }))
  await waitFor(() => expect(assign).toHaveBeenCalledTimes(1))
  expect(world.billing.opened[0]).toBe(`/sandbox-pay/credits/3?back=${location.href}`)
  expect(assign).toHaveBeenCalledWith(world.billing.opened[0])
  assign.mockRestore()
})

test('credits that were just bought show as soon as the provider has told of them', async () => {
  const { world } = openApp(USAGE)
  sessionStorage.setItem('trellis.awaited-credits', 'northwind:300')
  expect(await screen.findByText('0 of 300')).toBeTruthy()
  world.company.usage = {
    ...world.company.usage,
    trellis_purchased_ai_tokens_available: 600,
    trellis_purchased_ai_tokens_remaining: 600,
  }
  expect(await screen.findByText('0 of 600')).toBeTruthy()
  expect(sessionStorage.getItem('trellis.awaited-credits')).toBeNull()
})

test('a checkout that does not open is told in an alert that can be dismissed', async () => {
  const { user, world } = openApp(USAGE)
  const dialog = await openDialog(user)
  world.broken.add('getCreditsLink')
  await user.type(dialog.getByLabelText('Number of credits'), '100{Enter}')
  expect(await dialog.findByText('Something went wrong. Please try again.')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Dismiss' }))
  expect(dialog.queryByText('Something went wrong. Please try again.')).toBeNull()
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Go to checkout' }).disabled).toBe(false)
})

test('an account looked after by a manager sees the notice in place of the plan', async () => {
  openApp(USAGE, withPlan({ account_type: 'enterprise_trellis', is_plan_managed: false, status: 'unmanaged' }))
  expect(await screen.findByText('Your subscription is managed by your account manager')).toBeTruthy()
  expect(screen.queryByText('Current plan')).toBeNull()
})

test('a member without the right to pay sees what is used and nothing to press', async () => {
  openApp(USAGE, { accounts: [account('Northwind', ['Growth'], { role: 'account_view' })] })
  expect(await screen.findByRole('progressbar', { name: 'User seats' })).toBeTruthy()
  expect(await screen.findByRole('heading', { name: 'Current plan' })).toBeTruthy()
  for (const name of ['Buy credits', 'Cancel plan']) expect(screen.queryByRole('button', { name })).toBeNull()
  expect(screen.queryByRole('link', { name: 'Change plan' })).toBeNull()
  expect(screen.queryByRole('tab', { name: 'Billing' })).toBeNull()
})

test('the AI billing page has it all and changes the plan inside the AI area', async () => {
  openApp('/northwind/growth/ai/billing')
  expect(await screen.findByRole('heading', { name: 'Current plan' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Change plan' }).getAttribute('href')).toBe(
    '/northwind/growth/ai/plan-change',
  )
  for (const title of ['Payment details', 'Invoices', 'Utilization details'])
    expect(await screen.findByRole('heading', { name: title })).toBeTruthy()
  expect(document.documentElement.dataset['theme']).toBe('dark')
})
