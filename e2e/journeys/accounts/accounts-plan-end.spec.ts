import { endPlan } from '../../harness/accounts.ts'
import { giveAccount, signIn } from '../../harness/people.ts'
import { expect, test } from '../../harness/test.ts'

const DAY = 86_400_000

test('a plan that ends is announced, and once it is over nothing of the account opens', async ({ page, person }) => {
  const code = await giveAccount(person)
  await endPlan(code, new Date(Date.now() + 2.5 * DAY))
  await signIn(page, person)
  await expect(page.getByText('3 days left until plan expires')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Renew plan' })).toBeVisible()
  await page.getByRole('link', { name: 'Marketing' }).click()
  const bar = page.getByRole('region', { name: 'Notifications' })
  await expect(bar.getByText('3 days left until plan expires')).toBeVisible()
  await bar.getByRole('button', { name: 'Dismiss' }).click()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Marketing' })).toBeVisible()
  await expect(bar.getByText('3 days left until plan expires')).toHaveCount(0)
  await page.goto(`/${code}/finance/dashboard`)
  await expect(bar.getByText('3 days left until plan expires')).toBeVisible()

  await endPlan(code, new Date(Date.now() - DAY))
  for (const path of [`/${code}/marketing/dashboard`, `/${code}/settings`, `/${code}/anything`]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Account deactivated' })).toBeVisible()
  }
  await expect(
    page.getByText('You no longer have access to this account as the billing plan has expired or has been cancelled.'),
  ).toBeVisible()
  await page.getByRole('link', { name: 'Back to workspace selection' }).click()
  await expect(page.getByText('Plan expired')).toBeVisible()
  await expect(page.getByText('Unavailable').first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Settings of Acme Analytics' })).toHaveCount(0)
})

test('the deactivated screen without an account leads to a new one', async ({ page, person }) => {
  await signIn(page, person)
  await page.goto('/deactivated-account')
  await expect(page).toHaveURL('/create-account')
})
