import type { Page } from '@playwright/test'
import { openControlDb } from '@trellis/control-db/database'
import { expect } from '@playwright/test'
import { getEnvironment } from './environment.ts'

export async function nameAccount(page: Page, name: string): Promise<void> {
  await page.goto('/create-account')
  await page.getByLabel('Account name').fill(name)
  await page.getByRole('button', { name: 'Plan selection' }).click()
  await expect(page.getByRole('heading', { name: `Select a plan for account: ${name}` })).toBeVisible()
}

export async function payThere(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(Subscribe|Pay )/ }).click()
}

export async function payForAccount(
  page: Page,
  { name, plan }: { name: string; plan: 'Basic' | 'Team' },
): Promise<string> {
  await nameAccount(page, name)
  await page.getByRole('link', { name: `Select plan ${plan}` }).click()
  await payThere(page)
  await expect(page.getByRole('heading', { name: 'Plan activated' })).toBeVisible()
  const href = await page.getByRole('link', { name: 'Create workspace' }).getAttribute('href')
  return href?.split('/')[1] ?? ''
}

/** Not by moving the sandbox's clock, which all tests share. */
export async function endPlan(accountCode: string): Promise<void> {
  const control = openControlDb({ url: getEnvironment().databaseUrl, max: 1 })
  const yesterday = new Date(Date.now() - 86_400_000)
  await control.db
    .updateTable('accounts')
    .set({ plan_status: 'over', stripe_plan_end_date: yesterday, stripe_plan_cancelled_at: yesterday })
    .where('trellis_code', '=', accountCode)
    .execute()
  await control.close()
}

/** Runs in the provider's tab, then closes it. */
export async function inProviderTab(
  page: Page,
  open: () => Promise<void>,
  act: (tab: Page) => Promise<void>,
): Promise<void> {
  const [tab] = await Promise.all([page.waitForEvent('popup'), open()])
  await act(tab)
  await tab.close()
}
