import type { Page } from '@playwright/test'
import { openControlDb } from '@trellis/control-db/database'
import { expect } from '@playwright/test'
import { getEnvironment } from './environment.ts'

/** Names an account and stops where its plan is selected. */
export async function nameAccount(page: Page, name: string): Promise<void> {
  await page.goto('/create-account')
  await page.getByLabel('Account name').fill(name)
  await page.getByRole('button', { name: 'Plan selection' }).click()
  await expect(page.getByRole('heading', { name: `Select a plan for account: ${name}` })).toBeVisible()
}

/** Pays on the provider's page for whatever it asks. */
export async function payThere(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(Subscribe|Pay )/ }).click()
}

/** A new account on a plan, paid on the provider's page; answers with its code. */
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

/** The plan of an account ran out yesterday. The sandbox's clock is shared by all journeys, so it is not moved for one. */
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

/** The provider's page opens in a tab of its own; what is done there shows here once it is closed. */
export async function inProviderTab(
  page: Page,
  open: () => Promise<void>,
  act: (tab: Page) => Promise<void>,
): Promise<void> {
  const [tab] = await Promise.all([page.waitForEvent('popup'), open()])
  await act(tab)
  await tab.close()
}
