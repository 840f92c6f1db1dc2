import { giveAccount, signIn } from '../harness/people.ts'
import { expect, test } from '../harness/test.ts'

test('search, go, do: all from the keyboard', async ({ page, person }) => {
  await giveAccount(person)
  await signIn(page, person)
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search and commands' })
  const field = palette.getByPlaceholder('Search pages and commands')
  await expect(field).toBeFocused()
  await field.fill('zzzz')
  await expect(palette.getByText('Nothing matches these words.')).toBeVisible()
  await field.fill('change pass')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/profile/password')
  await expect(palette).toHaveCount(0)
  // The URL changes before the page, and the new page closes open dialogs.
  await expect(page.getByLabel('Current password', { exact: true })).toBeVisible()

  await page.keyboard.press('Control+k')
  await field.fill('dark theme')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')

  await page.keyboard.press('Control+k')
  await expect(palette.getByText('Recent')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(palette).toHaveCount(0)

  await page.getByRole('heading', { name: 'Profile settings' }).click()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('w')
  await expect(page).toHaveURL('/workspaces')

  const sidebar = page.getByRole('navigation', { name: 'Main' })
  await page.keyboard.press('Control+b')
  await expect(sidebar).toHaveAttribute('data-collapsed', 'true')
  await page.reload()
  await expect(sidebar).toHaveAttribute('data-collapsed', 'true')
})
