import type { Page } from '@playwright/test'
import { getEnvironment } from '../harness/environment.ts'
import { answered, expect, test } from '../harness/test.ts'

test.use({
  connected: true,
  otherHosts: async ({ connected }, use) => use(connected ? [new URL(getEnvironment().issuer).host] : []),
  expectedErrors: answered(401),
})

async function signInThere(page: Page, name: string): Promise<void> {
  await page.route(/fonts\.googleapis\.com/, (route) => route.abort())
  await page.waitForURL(/127\.0\.0\.1.*interaction/)
  await page.locator('input[name=login]').fill(name)
  await page.locator('input[name=password]').fill('anything')
  await page.locator('button[type=submit]').click()
  // Both pages have this button, which must not be pressed twice.
  await page.locator('input[name=login]').waitFor({ state: 'detached' })
  await page.locator('button[type=submit]').click()
}

test('a person comes in through the identity provider, with the address they asked for', async ({ page }) => {
  const name = `grace${Date.now()}`
  await page.goto('/login?next=%2Fprofile%2Fsettings')
  await page.getByRole('button', { name: 'Continue with Acme ID' }).click()
  await signInThere(page, name)
  await expect(page).toHaveURL('/profile/settings')
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(`${name}@acme.example`)
  await expect(page.getByLabel('First name', { exact: true })).toHaveValue('Grace')
  await page.getByRole('link', { name: 'Password' }).click()
  await expect(page.getByText('You have no password')).toBeVisible()
})

test('an answer that was not asked for is refused in words', async ({ page }) => {
  await page.goto('/sso/callback?code=stolen&state=forged')
  await expect(page.getByRole('heading', { name: 'Sign-in did not succeed' })).toBeVisible()
  await expect(page.getByText('An error occurred during login.', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Back to login' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in to your workspace' })).toBeVisible()
})
