import type { Page } from '@playwright/test'
import { seen } from '../../harness/notices.ts'
import { test } from '../../harness/own-product.ts'
import { signIn, signUp } from '../../harness/people.ts'
import { inProviderTab, payForAccount, payThere } from '../../harness/plans.ts'
import { answered, expect } from '../../harness/test.ts'

test.use({ expectedErrors: answered(402, 404) })

async function moveClock(page: Page, steps: readonly string[]): Promise<void> {
  await page.goto('/sandbox-pay/clock')
  for (const step of steps) {
    await page.getByRole('button', { name: step, exact: true }).click()
    await expect(page.getByText('The clock was moved.')).toBeVisible()
  }
}

test('an account deleted on Basic is not charged again', async ({ page, mailbox, request }) => {
  test.setTimeout(300_000)
  const owner = await signUp(request, mailbox)
  await signIn(page, owner)
  const code = await payForAccount(page, { name: 'Short Visit', plan: 'Basic' })
  await page.goto(`/${code}/settings`)
  await page.getByRole('button', { name: 'Account actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Short Visit?' })
  await expect(dialog.getByText(/The subscription stays active for the .* is not renewed/)).toBeVisible()
  await dialog.getByLabel('Type delete to confirm').fill('delete')
  await Promise.all([
    seen(page, 'Account successfully deleted.'),
    dialog.getByRole('button', { name: 'Delete' }).click(),
  ])
  await expect(page.getByRole('button', { name: 'Restore Short Visit' })).toBeVisible()

  const happened = page.getByRole('row').filter({ hasText: 'Short Visit' })
  await expect(async () => {
    await page.goto('/sandbox-pay/clock')
    await expect(happened.filter({ hasText: 'customer.subscription.updated' })).toHaveCount(1, { timeout: 1000 })
  }).toPass()
  await moveClock(page, ['A week', 'A week', 'A week', 'A week', 'A week'])
  await expect(happened.filter({ hasText: 'customer.subscription.deleted' })).toHaveCount(1)
  await expect(happened.filter({ hasText: /invoice\.paid/ })).toHaveCount(1)
  await expect(happened.filter({ hasText: /invoice\.created/ })).toHaveCount(1)
})

test('an expired account with two workspaces decides what to keep and goes on with Basic', async ({
  page,
  mailbox,
  request,
  ownProduct,
}) => {
  test.setTimeout(300_000)
  const owner = await signUp(request, mailbox)
  await signIn(page, owner)
  const code = await payForAccount(page, { name: 'Two Rooms', plan: 'Team' })
  await ownProduct.giveWorkspaces(code, ['Marketing', 'Finance'])
  await page.goto(`/${code}/settings?tab=billing`)
  await inProviderTab(
    page,
    () => page.getByRole('button', { name: 'Cancel plan' }).click(),
    async (tab) => {
      await tab.getByRole('button', { name: 'Cancel plan' }).click()
      await tab.waitForURL(`/${code}/settings?tab=billing`)
    },
  )
  await expect(page.getByText(/left until plan expires/).first()).toBeVisible()
  await moveClock(page, ['A month', 'A day'])
  const deactivated = page.getByRole('heading', { name: 'Account deactivated' })
  await expect(async () => {
    await page.goto(`/${code}/settings`)
    await expect(deactivated.or(page.getByLabel('Account name'))).toBeVisible()
    expect(await deactivated.isVisible()).toBe(true)
  }).toPass()
  await page.getByRole('link', { name: 'Back to workspace selection' }).click()
  await page.getByRole('link', { name: 'View data of Two Rooms' }).click()
  await expect(page.getByText('Your data is still here')).toBeVisible()
  await expect(page.getByText(/The data is kept until .*, then the account is deleted/)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Read and export Marketing' })).toBeVisible()

  await page.getByRole('button', { name: 'Reactivate plan' }).click()
  await expect(page.getByText('Workspaces: 2 created (Limit: 1)')).toBeVisible()
  await page.getByRole('button', { name: 'Choose what to keep…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Choose what to keep on Basic' })
  await dialog.getByRole('radio', { name: /Marketing/ }).check()
  await dialog.getByLabel('I understand this action will result in permanent loss of data.').check()
  await dialog.getByRole('button', { name: 'Delete the rest' }).click()
  await expect(page.getByText('This plan can’t be selected')).toHaveCount(0)
  await page.getByRole('link', { name: 'Select plan Basic' }).click()
  await payThere(page)
  await expect(page.getByRole('heading', { name: 'Plan activated' })).toBeVisible()
  await page.goto('/workspaces')
  await expect(page.getByRole('link', { name: 'Marketing' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Restore Finance' })).toBeVisible()
  await page.goto(`/${code}/settings?tab=audit`)
  for (const text of ['Plan chosen', 'Plan ended', 'Plan cancelled', 'Workspace deleted'])
    await expect(page.getByRole('row').filter({ hasText: text }).first()).toBeVisible()
})
