import { giveAccount, signIn } from '../../harness/people.ts'
import { payForAccount, payThere } from '../../harness/plans.ts'
import { expect, test } from '../../harness/test.ts'

test('credits are bought on the provider’s page and show in the account', async ({ page, person }) => {
  await signIn(page, person)
  const code = await payForAccount(page, { name: 'Prompt Works', plan: 'Basic' })
  await page.goto(`/${code}/settings?tab=plan-utilization`)
  await expect(page.getByText('None bought')).toBeVisible()
  await page.getByRole('button', { name: 'Buy credits' }).click()
  const dialog = page.getByRole('dialog', { name: 'Buy credits' })
  const amount = dialog.getByLabel('Number of credits')
  const problems = {
    ten: 'Must be a number',
    '-100': 'Must be a positive number',
    '99999': 'Maximum amount is 99,900',
    '250': 'Must be a multiple of 100',
  }
  for (const [typed, problem] of Object.entries(problems)) {
    await amount.fill(typed)
    await amount.blur()
    await expect(dialog.getByText(problem)).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Go to checkout' })).toBeDisabled()
  }
  await amount.fill('300')
  await expect(dialog.getByText('$7.50')).toBeVisible()
  await dialog.getByRole('button', { name: 'Go to checkout' }).click()
  await payThere(page)
  await expect(page).toHaveURL(`/${code}/settings?tab=plan-utilization`)
  await expect(page.getByText('0 of 300')).toBeVisible()
  await page.getByRole('tab', { name: 'Billing' }).click()
  await expect(page.getByRole('row').filter({ hasText: '$7.50' })).toBeVisible()
})

test('the utilization of an account is seen from its workspace, and in the AI area with its plan', async ({
  page,
  person,
}) => {
  const code = await giveAccount(person, ['Marketing'])
  await signIn(page, person, `/${code}/marketing/utilization`)
  await expect(page.getByRole('progressbar', { name: 'Monthly prompt credits' })).toBeVisible()
  await expect(page.getByText(/Credits renew in \d+ days?\./)).toBeVisible()
  await page.goto(`/${code}/marketing/ai/billing`)
  await expect(page.getByRole('heading', { name: 'Utilization details' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.getByRole('link', { name: 'Change plan' }).click()
  await expect(page).toHaveURL(`/${code}/marketing/ai/plan-change`)
})
