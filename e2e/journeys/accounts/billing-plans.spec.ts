import { giveAccount, signIn } from '../../harness/people.ts'
import { endPlan, inProviderTab, nameAccount, payForAccount, payThere } from '../../harness/plans.ts'
import { answered, expect, test } from '../../harness/test.ts'

test.use({ expectedErrors: answered(402, 404) })

test('a plan is selected, paid, changed, cancelled and renewed', async ({ page, person }) => {
  await signIn(page, person)
  const code = await payForAccount(page, { name: 'Harbour Works', plan: 'Basic' })
  await page.goto(`/${code}/settings?tab=billing`)
  await expect(page.getByRole('heading', { name: 'Current plan' })).toBeVisible()
  await expect(page.getByText('The Basic plan is active')).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: '$950' }).getByText('Paid', { exact: true })).toBeVisible()

  await page.getByRole('link', { name: 'Change plan' }).click()
  await expect(page.getByRole('heading', { name: 'Change plan' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Current plan' })).toBeDisabled()
  await inProviderTab(
    page,
    () => page.getByRole('button', { name: 'Select plan Team' }).click(),
    async (tab) => {
      await tab.getByRole('button', { name: 'Confirm change' }).click()
      await tab.waitForURL(`/${code}/plan-change`)
    },
  )
  // Without a reload: the page polls until the provider has confirmed.
  await expect(page.getByRole('region', { name: 'Team' }).getByRole('button', { name: 'Current plan' })).toBeVisible()

  await page.getByRole('button', { name: 'Select plan Basic' }).click()
  const dialog = page.getByRole('dialog', { name: 'Downgrade plan?' })
  await expect(dialog.getByText('By downgrading, you will lose access to:')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.goto(`/${code}/settings?tab=billing`)
  await inProviderTab(
    page,
    () => page.getByRole('button', { name: 'Cancel plan' }).click(),
    async (tab) => {
      await tab.getByRole('button', { name: 'Cancel plan' }).click()
      await tab.waitForURL(`/${code}/settings?tab=billing`)
    },
  )
  await expect(page.getByText(/\d+ days left until plan expires/)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Latest plan' })).toBeVisible()

  await inProviderTab(
    page,
    () => page.getByRole('button', { name: 'Renew plan' }).first().click(),
    async (tab) => {
      await tab.getByRole('button', { name: 'Renew plan' }).click()
      await expect(tab.getByText(/Renews on/)).toBeVisible()
    },
  )
  await expect(page.getByRole('heading', { name: 'Current plan' })).toBeVisible()
})

test('a declined card pays nothing, and a canceled checkout leads back to the plans', async ({ page, person }) => {
  await signIn(page, person)
  await nameAccount(page, 'Second Thoughts')
  await page.getByRole('link', { name: 'Select plan Team' }).click()
  await page
    .getByRole('radio', { name: /declin/i })
    .first()
    .check()
  await payThere(page)
  await expect(page.getByText('Your card was declined. Choose another one.')).toBeVisible()
  await page.getByRole('link', { name: 'Cancel and go back' }).click()
  await expect(page.getByRole('heading', { name: 'Plan activation failed' })).toBeVisible()
  await expect(page.getByRole('link', { name: /support@/ })).toBeVisible()
  await page.getByRole('button', { name: 'Back to plan selection' }).click()
  await expect(page.getByRole('heading', { name: 'Select a plan for account: Second Thoughts' })).toBeVisible()
})

test('an activation address typed by hand makes no account', async ({ page, person }) => {
  await signIn(page, person)
  await nameAccount(page, 'For Nothing')
  const link = await page.getByRole('link', { name: 'Select plan Basic' }).getAttribute('href')
  expect(link).toContain('/sandbox-pay/')
  const activation = page.waitForResponse((response) => response.request().method() === 'POST')
  const id = await page.evaluate(
    () => (history.state as { usr: { temporaryAccount: { id: number } } }).usr.temporaryAccount.id,
  )
  await page.goto(`/plan-activation/${id}?status=success&account_type=team`)
  await expect(page.getByRole('heading', { name: 'Activating plan...' })).toBeVisible()
  expect((await activation).status()).toBe(402)
  await page.goto('/plan-activation/999999999?status=success&account_type=team')
  await expect(page.getByRole('heading', { name: 'Plan activation failed' })).toBeVisible()
  await page.goto('/workspaces')
  await expect(page.getByText('No accounts')).toBeVisible()
})

test('a plan too small for what is in use is blocked', async ({ page, person }) => {
  const code = await giveAccount(person, ['Marketing', 'Finance'])
  await signIn(page, person, `/${code}/plan-change`)
  const note = page.getByRole('note')
  await expect(note.getByText('This plan can’t be selected')).toBeVisible()
  await expect(note.getByText('Your current usage exceeds the limits of this plan:')).toBeVisible()
  await expect(note.getByText('Workspaces: 2 created (Limit: 1)')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Select plan Basic' })).toBeDisabled()
})

test('an account whose plan is over is reactivated', async ({ page, person }) => {
  const code = await giveAccount(person, ['Marketing'])
  await endPlan(code)
  await signIn(page, person)
  await page.goto(`/${code}/settings`)
  await expect(page.getByRole('heading', { name: 'Account deactivated' })).toBeVisible()
  await page.getByRole('button', { name: 'Reactivate plan' }).click()
  await expect(page.getByRole('heading', { name: 'Select a plan for account: Acme Analytics' })).toBeVisible()
  await page.getByRole('link', { name: 'Select plan Team' }).click()
  await payThere(page)
  await expect(page.getByRole('heading', { name: 'Plan activated' })).toBeVisible()
  await page.getByRole('link', { name: 'View billing' }).click()
  await expect(page.getByText('The Team plan is active')).toBeVisible()
})
