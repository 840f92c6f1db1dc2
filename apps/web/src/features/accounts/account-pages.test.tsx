import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createCompany, daysFromNow } from '../../testing/fake-company.ts'
import { account, createWorld } from '../../testing/fake-world.ts'
import { openApp } from '../../testing/render-app.tsx'

const past = '2025-01-01T00:00:00Z'
const over = { stripe_plan_cancelled_at: past, stripe_plan_end_date: past }
const tabNames = () => screen.getAllByRole('tab').map((tab) => tab.textContent)
const shownTab = () => screen.getByRole('tab', { selected: true }).textContent

test('an account is named first and its plan chosen next', async () => {
  const { user, router } = openApp('/create-account')
  expect(await screen.findByRole('heading', { name: 'Create account' })).toBeTruthy()
  expect(screen.getByText('Start by naming your account.')).toBeTruthy()
  expect(screen.getByText("You'll choose a plan next.")).toBeTruthy()
  const name = screen.getByLabelText('Account name')
  await user.type(name, 'a/b')
  await user.tab()
  expect(
    await screen.findByText('Account name may have letters, numbers, spaces, dashes and underscores only'),
  ).toBeTruthy()
  await user.clear(name)
  await user.type(name, 'New one')
  await user.click(screen.getByRole('button', { name: 'Plan selection' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/plan-select'))
  expect(router.state.location.state).toEqual({ temporaryAccount: { id: 77, name: 'New one' } })
})

test('an account that cannot be named says why', async () => {
  const { user } = openApp('/create-account', { broken: new Set(['createTemporaryAccount']) })
  await user.type(await screen.findByLabelText('Account name'), 'New one')
  await user.click(screen.getByRole('button', { name: 'Plan selection' }))
  expect(await screen.findByText('Failed to add account. The database did not answer.')).toBeTruthy()
})

test.each(['/old', '/old/settings', '/old/main/dashboard', '/old/main/nowhere', '/old/plan-change'])(
  'an account whose plan is over shows nothing but that, at %s',
  async (path) => {
    const { router } = openApp(path, { accounts: [account('Old', ['Main'], over)] })
    expect(await screen.findByRole('heading', { name: 'Account deactivated' })).toBeTruthy()
    expect(router.state.location.pathname).toBe('/deactivated-account')
    expect(
      screen.getByText(
        'You no longer have access to this account as the billing plan has expired or has been cancelled.',
      ),
    ).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Back to workspace selection' })).toBeTruthy()
  },
)

test('the deactivated screen leads to what still works: reading, exporting and deleting', async () => {
  const { user, world, router } = openApp('/old/settings', { accounts: [account('Old', ['Main', 'Spare'], over)] })
  const list = within(await screen.findByRole('list', { name: 'Workspaces of Old' }))
  await user.click(list.getByRole('button', { name: 'Delete Spare' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete Spare?' }))
  await user.click(dialog.getByLabelText('I understand this action will result in permanent loss of data.'))
  await user.click(dialog.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(world.accounts[0]?.workspaces).toHaveLength(1))
  expect(router.state.location.pathname).toBe('/deactivated-account')
  await user.click(screen.getByRole('button', { name: 'Delete account…' }))
  expect((await screen.findByRole('dialog', { name: 'Delete Old?' })).textContent).toContain(
    'The plan has ended: 0 days remain, and nothing more is charged.',
  )
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await user.click(screen.getByRole('link', { name: 'Read and export Main' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/old/main/explorer/home'))
  expect(await screen.findByText('Plan expired')).toBeTruthy()
  await user.click(screen.getByRole('link', { name: 'Back to the account' }))
  expect(await screen.findByRole('heading', { name: 'Account deactivated' })).toBeTruthy()
})

test('kinds of account that have no plan are exempt', async () => {
  openApp('/old/main/dashboard', { accounts: [account('Old', ['Main'], { ...over, account_type: 'internal' })] })
  expect(await screen.findByRole('heading', { name: 'Main' })).toBeTruthy()
})

test('from the deactivated screen a plan is chosen for that account', async () => {
  const { user, router } = openApp('/old/settings', { accounts: [account('Old', ['Main'], over)] })
  await user.click(await screen.findByRole('button', { name: 'Reactivate plan' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/plan-select'))
  expect(router.state.location.state).toEqual({ account: { trellis_code: 'old', name: 'Old' } })
})

test('the deactivated screen without an account leads to a new one', async () => {
  const { router } = openApp('/deactivated-account')
  await waitFor(() => expect(router.state.location.pathname).toBe('/create-account'))
})

test('an account of somebody else is no page', async () => {
  openApp('/not-mine/settings')
  expect(await screen.findByRole('heading', { name: 'This page does not exist' })).toBeTruthy()
})

test('the settings have their tabs in the address, and unknown ones are the details', async () => {
  const { user, router } = openApp('/northwind/settings?tab=nonsense')
  expect(await screen.findByRole('heading', { name: 'Account settings' })).toBeTruthy()
  expect(tabNames()).toEqual(['Details', 'Members', 'Billing', 'Plan & Utilization', 'AI model', 'Audit log'])
  expect(shownTab()).toBe('Details')
  await user.click(screen.getByRole('tab', { name: 'Members' }))
  expect(router.state.location.search).toBe('?tab=members')
})

test('a tab in the path is the tab in the query', async () => {
  const { router } = openApp('/northwind/settings/members')
  await screen.findByRole('heading', { name: 'Account settings' })
  await waitFor(() => expect(router.state.location.search).toBe('?tab=members'))
  expect(router.state.location.pathname).toBe('/northwind/settings')
  expect(shownTab()).toBe('Members')
})

test('who has partial access sees neither bills nor the audit log, and can change nothing', async () => {
  openApp('/riverside-lab/settings')
  expect((await screen.findByLabelText<HTMLInputElement>('Account name')).disabled).toBe(true)
  expect(tabNames()).toEqual(['Details', 'Members', 'Plan & Utilization', 'AI model'])
  expect(screen.queryByRole('heading', { name: 'Ownership' })).toBeNull()
})

async function askToLeave(user: ReturnType<typeof openApp>['user']) {
  await user.click(await screen.findByRole('button', { name: 'Account actions' }))
  await user.click(screen.getByRole('menuitem', { name: 'Leave account' }))
}

test('who has partial access leaves by themselves', async () => {
  const { user, world, router } = openApp('/riverside-lab/settings')
  await askToLeave(user)
  expect(screen.queryByRole('menuitem', { name: 'Delete' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Leave account' }))
  expect(await screen.findByText('You left Riverside Lab.')).toBeTruthy()
  await waitFor(() => expect(router.state.location.pathname).toBe('/workspaces'))
  expect(world.accounts.map((other) => other.name)).toEqual(['Northwind'])
})

test('the owner is told to hand the ownership on first', async () => {
  const { user, router } = openApp('/northwind/settings?tab=members')
  await askToLeave(user)
  expect(await screen.findByText('You own this account. Hand the ownership on first, then leave.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Hand the ownership on' }))
  await waitFor(() => expect(router.state.location.search).toBe('?tab=details'))
})

test('a tab that was open while its person was removed says so', async () => {
  const { user, world } = openApp('/northwind/settings?tab=details')
  await screen.findByLabelText('Account name')
  world.accounts = world.accounts.filter((other) => other.trellis_code !== 'northwind')
  await user.type(screen.getByLabelText('Account name'), ' 2')
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  expect(await screen.findByRole('heading', { name: 'Your access has ended' })).toBeTruthy()
  expect(
    screen.getByText(/You no longer have access to Northwind: it was deleted, or your role was taken/),
  ).toBeTruthy()
})

test('a tab that is looked at again follows what another tab changed', async () => {
  const { world } = openApp('/northwind/settings')
  await screen.findByLabelText('Account name')
  world.accounts = world.accounts.map((other) => ({ ...other, name: 'Southwind' }))
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Account name').value).toBe('Southwind'))
  world.accounts = []
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  expect(await screen.findByRole('heading', { name: 'Your access has ended' })).toBeTruthy()
})

test('the account is renamed', async () => {
  const { user, world } = openApp('/northwind/settings')
  const name = await screen.findByLabelText('Account name')
  await user.clear(name)
  await user.type(name, 'Southwind')
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  expect(await screen.findByText('Account configuration successfully saved.')).toBeTruthy()
  expect(world.accounts[0]?.name).toBe('Southwind')
})

test('a rename that fails says why', async () => {
  const { user } = openApp('/northwind/settings', { broken: new Set(['updateAccount']) })
  await user.type(await screen.findByLabelText('Account name'), ' 2')
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  expect(
    await screen.findByText('Failed to update account configuration. Please try again. The database did not answer.'),
  ).toBeTruthy()
})

async function askToDelete(user: ReturnType<typeof openApp>['user']) {
  await user.click(await screen.findByRole('button', { name: 'Account actions' }))
  await user.click(screen.getByRole('menuitem', { name: 'Delete' }))
  return await screen.findByRole('dialog', { name: 'Delete Northwind?' })
}

test('deleting the account tells what is lost and must be typed', async () => {
  const accounts = [account('Northwind', ['One', 'Two'], { stripe_plan_renewal_date: daysFromNow(11.5) })]
  const { user, world, router } = openApp('/northwind/settings', { accounts })
  const dialog = await askToDelete(user)
  expect(dialog.textContent).toContain('All 2 workspaces in this account are deleted')
  expect(dialog.textContent).toContain('dataflows are deactivated immediately')
  expect(dialog.textContent).toContain('The subscription stays active for the 12 days that remain until its renewal')
  expect(dialog.textContent).toContain('nothing more is charged')
  const confirm = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Delete' })
  expect(confirm.disabled).toBe(true)
  await user.type(within(dialog).getByLabelText('Type delete to confirm'), 'DELETE')
  await user.click(confirm)
  expect(await screen.findByText('Account successfully deleted.')).toBeTruthy()
  await waitFor(() => expect(router.state.location.pathname).toBe('/workspaces'))
  expect(world.accounts).toEqual([])
  expect(await screen.findByRole('button', { name: 'Restore Northwind' })).toBeTruthy()
})

test.each([
  [[], 'There is no workspace in this account.'],
  [['One'], 'The workspace in this account is deleted and its dataflows are deactivated immediately.'],
] as const)('the dialog counts the workspaces: %j', async (workspaces, text) => {
  const { user } = openApp('/northwind/settings', { accounts: [account('Northwind', [...workspaces])] })
  expect((await askToDelete(user)).textContent).toContain(text)
})

test('a deletion that fails keeps the account', async () => {
  const { user, world } = openApp('/northwind/settings', { broken: new Set(['deleteAccount']) })
  const dialog = await askToDelete(user)
  expect(dialog.textContent).toContain('The subscription stays active for the 0 days that remain')
  await user.type(within(dialog).getByLabelText('Type delete to confirm'), 'delete{Enter}')
  expect(await screen.findByText('Failed to delete account. Please try again.')).toBeTruthy()
  expect(world.accounts).toHaveLength(2)
})

test('the ownership is handed on to another member, after a question', async () => {
  const { user, world } = openApp('/northwind/settings')
  await user.selectOptions(await screen.findByLabelText('New owner'), 'Grace Hopper (grace@example.com)')
  await user.click(screen.getByRole('button', { name: 'Hand the ownership on…' }))
  expect(world.accounts[0]?.role).toBe('owner')
  await user.click(screen.getByRole('button', { name: 'Hand on' }))
  expect(await screen.findByText('The ownership was handed on.')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Ownership' })).toBeNull())
  expect(world.company.members.find((member) => member.is_owner)?.profile.email).toBe('grace@example.com')
})

test('alone in an account there is nobody to hand it to', async () => {
  const [owner] = createCompany().members
  openApp('/northwind/settings', { company: createCompany({ members: owner ? [owner] : [] }) })
  expect(await screen.findByText(/You are the only member/)).toBeTruthy()
})

test('an account joined elsewhere is found although the list is older', async () => {
  const { router, world } = openApp('/workspaces')
  await screen.findByText('Growth')
  world.accounts = [...createWorld().accounts, account('Joined', ['Fresh'])]
  await router.navigate('/joined/fresh/dashboard')
  expect(await screen.findByRole('heading', { name: 'Fresh' })).toBeTruthy()
})
