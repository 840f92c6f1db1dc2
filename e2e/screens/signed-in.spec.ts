import type { Page } from '@playwright/test'
import { giveAccount, type Person, signIn } from '../harness/people.ts'
import { expect, test } from '../harness/test.ts'
import { totp } from '../harness/totp.ts'
import { PHONE, photograph, type Theme, THEMES } from './photograph.ts'

async function enter(page: Page, { person, theme }: { person: Person; theme: Theme }): Promise<void> {
  await signIn(page, person)
  if (theme === 'light') return
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await page.getByRole('button', { name: 'Switch to the dark theme' }).click()
  await saved
}

for (const theme of THEMES) {
  test.describe(theme, () => {
    test.use({ expectedErrors: /ERR_FAILED/ })

    test('workspaces, none and some, and the shell around them', async ({ page, person }) => {
      await enter(page, { person, theme })
      await expect(page.getByText('No accounts')).toBeVisible()
      await photograph(page, 'workspaces-none', { theme })
      await giveAccount(person, ['Marketing', 'Finance', 'Operations'])
      await page.reload()
      await expect(page.getByText('Marketing', { exact: true })).toBeVisible()
      await photograph(page, 'workspaces', { theme })
      await page.getByRole('button', { name: /^Profile menu/ }).click()
      await photograph(page, 'profile-menu', { theme })
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+k')
      await expect(page.getByRole('dialog', { name: 'Search and commands' })).toBeVisible()
      await photograph(page, 'palette', { theme })
      await page.keyboard.press('Escape')
      await page.keyboard.press('?')
      await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
      await photograph(page, 'keyboard-help', { theme })
      await page.keyboard.press('Escape')
      await page.setViewportSize(PHONE)
      await page.getByRole('button', { name: 'Open navigation' }).click()
      await photograph(page, 'navigation', { theme, sizes: [PHONE] })
    })

    test('the profile', async ({ page, person }) => {
      await giveAccount(person)
      await enter(page, { person, theme })
      await page.goto('/profile/settings')
      await expect(page.getByLabel('First name', { exact: true })).toBeVisible()
      await photograph(page, 'profile-settings', { theme })
      await page.goto('/profile/password')
      await page.getByLabel('Current password', { exact: true }).fill('something')
      await page.getByLabel('New password', { exact: true }).fill('Short')
      await page.getByLabel('New password', { exact: true }).blur()
      await photograph(page, 'profile-password', { theme })
      await page.goto('/profile/security')
      await expect(page.getByText('This session')).toBeVisible()
      await photograph(page, 'profile-security', { theme })
      await page.getByRole('button', { name: 'Sign out everywhere…' }).click()
      await photograph(page, 'profile-sign-out-everywhere', { theme })
      await page.keyboard.press('Escape')
    })

    test('setting up the second factor', async ({ page, person }) => {
      await enter(page, { person, theme })
      await page.goto('/profile/security')
      await page.getByRole('button', { name: 'Set up…' }).click()
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByRole('img')).toBeVisible()
      await photograph(page, 'second-factor', { theme })
      const secret = ((await dialog.locator('pre').first().textContent()) ?? '').trim()
      await dialog.getByLabel('Your password').fill(person.password)
      await dialog.getByLabel('Code from the app', { exact: true }).fill(totp(secret))
      await dialog.getByRole('button', { name: 'Turn on' }).click()
      await expect(dialog.getByText('Two-factor sign-in is on')).toBeVisible()
      await photograph(page, 'recovery-codes', { theme })
      await dialog.getByRole('button', { name: 'I have saved them' }).click()
      await page.getByRole('button', { name: 'New recovery codes…' }).click()
      await photograph(page, 'recovery-codes-renew', { theme })
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
      await page.getByRole('button', { name: 'Turn off…' }).click()
      await photograph(page, 'second-factor-off', { theme })
    })

    test('what went wrong', async ({ page, person }) => {
      await enter(page, { person, theme })
      await page.goto('/no-such-page')
      await expect(page.getByRole('heading', { name: 'This page does not exist' })).toBeVisible()
      await photograph(page, 'not-found', { theme })
      await page.route('**/auth/sessions', (route) => route.abort())
      await page.goto('/profile/security')
      await expect(page.getByText('Your sessions could not be loaded')).toBeVisible()
      await photograph(page, 'error-panel', { theme })
      await page.route('**/api/account', (route) => route.abort())
      await page.goto('/initialize-profile')
      await expect(page.getByRole('heading', { name: 'Oops! Something went wrong' })).toBeVisible()
      await photograph(page, 'error-page', { theme })
    })
  })
}
