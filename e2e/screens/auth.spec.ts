import { seen } from '../harness/notices.ts'
import { answered, expect, test } from '../harness/test.ts'
import { photograph } from './photograph.ts'

const CHALLENGE = {
  errors: [
    { status: '401', code: 'second_factor_required', title: 'Code needed', detail: 'Enter the code from your app.' },
  ],
}

test.describe('without single sign-on', () => {
  test.use({ colorScheme: 'dark', expectedErrors: answered(401) })

  test('the public pages', async ({ page }) => {
    await page.goto('/login')
    await photograph(page, 'login')
    await page.goto('/signup')
    await photograph(page, 'signup')
    await page.goto('/signup?email=invited%40example.com')
    await page.getByLabel('First name', { exact: true }).fill('A')
    await page.getByLabel('Password', { exact: true }).fill('Capital')
    await page.getByLabel('Confirm password', { exact: true }).fill('other')
    await page.getByLabel('Confirm password', { exact: true }).blur()
    await expect(page.getByText('Passwords do not match')).toBeVisible()
    await photograph(page, 'signup-errors')
    await page.goto('/activate')
    await photograph(page, 'activate')
    await page.goto('/forgot-password')
    await photograph(page, 'forgot-password')
    await page.getByLabel('Email', { exact: true }).fill('nobody@example.com')
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByText('Reset code sent')).toBeVisible()
    await photograph(page, 'reset')
  })

  test('the second step of a sign-in, and a refused one', async ({ page }) => {
    await page.goto('/login')
    await page.getByLabel('Email', { exact: true }).fill('nobody@example.com')
    await page.getByLabel('Password', { exact: true }).fill('Wrong-Horse-1')
    await page.clock.install()
    await Promise.all([
      seen(page, /^An error occurred during login\./),
      page.getByRole('button', { name: 'Sign in' }).click(),
    ])
    await page.getByRole('alert').last().hover()
    await photograph(page, 'login-refused')
    await page.route('**/auth/login', (route) => route.fulfill({ status: 401, json: CHALLENGE }))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByRole('heading', { name: 'Two-factor sign-in' })).toBeVisible()
    await photograph(page, 'login-second-factor')
  })
})

test.describe('with single sign-on', () => {
  test.use({ colorScheme: 'dark', connected: true, expectedErrors: answered(401) })

  test('the sign-in page and a refused answer', async ({ page }) => {
    await page.goto('/login')
    await expect(page.getByRole('button', { name: 'Continue with Acme ID' })).toBeVisible()
    await photograph(page, 'login-sso')
    await page.goto('/sso/callback?code=stolen&state=forged')
    await expect(page.getByRole('heading', { name: 'Sign-in did not succeed' })).toBeVisible()
    await photograph(page, 'sso-refused')
  })
})
