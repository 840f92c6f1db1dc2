import AxeBuilder from '@axe-core/playwright'
import { signIn } from '../../harness/people.ts'
import { inProviderTab, payForAccount } from '../../harness/plans.ts'
import { expect, test } from '../../harness/test.ts'
import { giveEmptyWorkspace } from '../../harness/workspace-data.ts'

test('the plan is seen, changed and activated without leaving the AI area', async ({ page, person, request }) => {
  test.slow()
  await signIn(page, person)
  const account = await payForAccount(page, { name: 'Prompt Works', plan: 'Basic' })
  await giveEmptyWorkspace(request, person, { account, name: 'Main', workspace_address: 'main' })
  const ai = `/${account}/main/ai`

  await test.step('what the plan has and what is used of it', async () => {
    await page.goto(`${ai}/billing`)
    await expect(page.getByText('The Basic plan is active')).toBeVisible()
    await expect(page.getByRole('progressbar', { name: 'Monthly prompt credits' })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations).toEqual([])
  })

  await test.step('a larger plan is chosen by keyboard and confirmed with the provider', async () => {
    await page.getByRole('link', { name: 'Change plan' }).press('Enter')
    await expect(page).toHaveURL(`${ai}/plan-change`)
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await inProviderTab(
      page,
      () => page.getByRole('button', { name: 'Select plan Team' }).press('Enter'),
      async (tab) => {
        await tab.getByRole('button', { name: 'Confirm change' }).click()
        await tab.waitForURL(`${ai}/plan-change`)
      },
    )
    await expect(page.getByRole('region', { name: 'Team' }).getByRole('button', { name: 'Current plan' })).toBeVisible()
  })

  await test.step('the activation tells the new plan and leads to the billing of the AI area', async () => {
    await page.goto(`${ai}/plan-activation?status=success&account_type=team`)
    await expect(page.getByRole('heading', { name: 'Plan activated' })).toBeVisible()
    await expect(page.getByText('The account is on the Team plan.')).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations).toEqual([])
    await page.getByRole('link', { name: 'View billing' }).click()
    await expect(page).toHaveURL(`${ai}/billing`)
    await expect(page.getByText('The Team plan is active')).toBeVisible()
  })

  await test.step('a canceled checkout leads back to the plans', async () => {
    await page.goto(`${ai}/plan-activation?status=canceled`)
    await expect(page.getByRole('heading', { name: 'Plan activation failed' })).toBeVisible()
    await page.getByRole('link', { name: 'Back to plan selection' }).click()
    await expect(page).toHaveURL(`${ai}/plan-change`)
  })

  await test.step('all three fit a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    for (const place of ['billing', 'plan-change', 'plan-activation']) {
      await page.goto(`${ai}/${place}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    }
  })
})
