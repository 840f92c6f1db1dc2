import type { Page, Route } from '@playwright/test'
import { seen } from '../../harness/notices.ts'
import { giveAccount, signIn } from '../../harness/people.ts'
import { answered, expect, test } from '../../harness/test.ts'

test.use({ expectedErrors: answered(500) })

const broken = { errors: [{ status: '500', code: 'internal', title: 'Something went wrong', detail: 'It broke.' }] }
const refuse = (route: Route) => route.fulfill({ status: 500, json: broken })

/** Only this method: reads of the same address still work. */
async function breakCalls(page: Page, method: string, address: string): Promise<void> {
  await page.route(address, (route) => (route.request().method() === method ? refuse(route) : route.fallback()))
}

async function pretendUsage(page: Page, change: Record<string, number>): Promise<void> {
  await page.route('**/api/account/*/usage', async (route) => {
    const response = await route.fetch()
    const { data } = (await response.json()) as { data: object }
    await route.fulfill({ response, json: { data: { ...data, ...change } } })
  })
}

test('billing that can not be loaded, and a checkout that can not be opened, say so', async ({ page, person }) => {
  const code = await giveAccount(person)
  await signIn(page, person)
  await page.route(/\/api\/account\/\w+\/(plan-details|payment-details|invoices|usage)/, refuse)
  await page.goto(`/${code}/settings?tab=billing`)
  for (const text of [
    'Could not load plan status.',
    'Could not load plan details.',
    'Could not load payment details.',
    'Could not load invoices.',
  ]) {
    await expect(page.getByText(text, { exact: true })).toBeVisible()
  }
  await page.goto(`/${code}/settings?tab=plan-utilization`)
  await expect(page.getByText('Could not load utilization details.', { exact: true })).toBeVisible()

  await page.unrouteAll()
  await page.route('**/api/account/*/stripe-ai-tokens-url*', refuse)
  await page.reload()
  await page.getByRole('button', { name: 'Buy credits' }).click()
  const dialog = page.getByRole('dialog', { name: 'Buy credits' })
  await dialog.getByLabel('Number of credits').fill('100')
  await dialog.getByLabel('Number of credits').fill('')
  await dialog.getByLabel('Number of credits').blur()
  await expect(dialog.getByText('Field required', { exact: true })).toBeVisible()
  await dialog.getByLabel('Number of credits').fill('100')
  await dialog.getByRole('button', { name: 'Go to checkout' }).click()
  await expect(dialog.getByText('Something went wrong. Please try again.', { exact: true })).toBeVisible()
})

test('usage bars warn from 80 % on and say when the limit is reached', async ({ page, person }) => {
  const code = await giveAccount(person)
  await signIn(page, person)
  const credits = { trellis_current_month_ai_tokens_available: 500, trellis_current_month_ai_tokens_remaining: 100 }
  await pretendUsage(page, credits)
  await page.goto(`/${code}/settings?tab=plan-utilization`)
  await expect(page.getByText('Nearing your monthly limit', { exact: true })).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  await pretendUsage(page, { ...credits, trellis_current_month_ai_tokens_remaining: 0 })
  await page.reload()
  await expect(page.getByText('Usage limit reached - Buy Credits or Upgrade Plan', { exact: true })).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
})

test('no seat is left, no workspace is left: said where one would be added', async ({ page, person }) => {
  const code = await giveAccount(person)
  await signIn(page, person)
  await pretendUsage(page, { users: 10, users_limit: 10 })
  await page.goto(`/${code}/settings?tab=members`)
  await expect(page.getByText('Users limit reached', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add members' })).toBeDisabled()
  await page.unrouteAll({ behavior: 'wait' })

  await page.route('**/api/account/accounts-usage', (route) =>
    route.fulfill({ json: { data: [{ account_trellis_code: code, workspaces: 2, workspaces_limit: 2 }] } }),
  )
  await page.goto('/workspaces')
  await page.getByRole('button', { name: 'New workspace' }).click()
  const dialog = page.getByRole('dialog', { name: 'New workspace' })
  await expect(
    dialog.getByText('Workspace limit reached. Please upgrade your plan to create additional workspaces.'),
  ).toBeVisible()
  await expect(dialog.getByLabel('Workspace name')).toBeDisabled()
  await dialog.getByRole('link', { name: 'View plans', exact: true }).click()
  await expect(page).toHaveURL(`/${code}/plan-change`)
})

test('a workspace that can not be made, changed or deleted says so', async ({ page, person }) => {
  const [, code] = [await giveAccount(person, []), await giveAccount(person, ['Marketing'])]
  await signIn(page, person)
  await breakCalls(page, 'POST', '**/api/*/workspace')
  await page.getByRole('button', { name: 'New workspace' }).click()
  const dialog = page.getByRole('dialog', { name: 'New workspace' })
  await dialog.getByLabel('Account').focus()
  await dialog.getByLabel('Workspace name').fill('   ')
  await dialog.getByLabel('Workspace name').blur()
  await expect(dialog.getByText('Account is required', { exact: true })).toBeVisible()
  await expect(dialog.getByText('Field required', { exact: true }).first()).toBeVisible()
  await dialog.getByLabel('Account').selectOption(code)
  await dialog.getByLabel('Workspace name').fill('Second')
  await Promise.all([
    page.getByText('Failed to add workspace. Please try again.').first().waitFor(),
    dialog.getByRole('button', { name: 'Create workspace' }).click(),
  ])

  await page.goto(`/${code}/marketing/settings`)
  await breakCalls(page, 'PATCH', `**/api/${code}/marketing`)
  await breakCalls(page, 'DELETE', '**/api/*/workspace*')
  await page.getByLabel('Workspace name').fill('Renamed')
  await Promise.all([
    seen(page, 'Failed to update workspace settings. Please try again.'),
    page.getByRole('button', { name: 'Save changes' }).click(),
  ])
  await page.getByRole('button', { name: 'Delete workspace…' }).click()
  await page.getByLabel('I understand this action will result in permanent loss of data.').check()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('Failed to delete workspace. Please try again.', { exact: true })).toBeVisible()
})

test('an account that can not be added, changed or deleted says so; its settings load in their own words', async ({
  page,
  person,
}) => {
  const code = await giveAccount(person)
  await signIn(page, person, '/create-account')
  await breakCalls(page, 'POST', '**/api/account/**')
  await breakCalls(page, 'PATCH', '**/api/**')
  await breakCalls(page, 'DELETE', '**/api/**')
  await page.getByLabel('Account name').fill('Harbour works')
  await Promise.all([
    page.getByText('Failed to add account.').first().waitFor(),
    page.getByRole('button', { name: 'Plan selection' }).click(),
  ])

  await page.goto(`/${code}/settings`)
  await page.getByLabel('Account name').fill('Acme Works')
  await Promise.all([
    page.getByText('Failed to update account configuration. Please try again.').first().waitFor(),
    page.getByRole('button', { name: 'Save changes' }).click(),
  ])
  await page.getByRole('button', { name: 'Account actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Type delete to confirm').fill('delete')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog.getByText('Failed to delete account. Please try again.', { exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  const held = Promise.withResolvers<void>()
  await page.route('**/MembersTab-*.js', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto(`/${code}/settings?tab=members`)
  await expect(page.getByText('Loading account settings...', { exact: true })).toBeVisible()
  held.resolve()
  await expect(page.getByRole('button', { name: 'Add members' })).toBeVisible()
})
