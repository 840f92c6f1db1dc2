import { expect, test } from '../harness/test.ts'

test.beforeEach(async ({ page }) => {
  await page.goto('/design')
  await expect(page.getByRole('heading', { name: 'Design system' })).toBeVisible()
})

test('the delete dialog keeps the focus on the safe side', async ({ page }) => {
  await page.getByRole('button', { name: 'Delete…', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'Delete…', exact: true }).first().click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog).toHaveCount(0)
})

test('the typed delete dialog waits for the word, in any case', async ({ page }) => {
  await page.getByRole('button', { name: 'Delete by typing…' }).first().click()
  const dialog = page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: 'Delete' })
  const field = dialog.getByLabel('Type delete to confirm')
  await expect(field).toBeFocused()
  await expect(confirm).toBeDisabled()
  await field.fill('delet')
  await page.keyboard.press('Enter')
  await expect(confirm).toBeDisabled()
  await field.fill('DeLeTe')
  await expect(confirm).toBeEnabled()
  await confirm.click()
  await expect(dialog).toHaveCount(0)
})

test('shows every component in both themes at once', async ({ page }) => {
  for (const theme of ['light', 'dark'])
    await expect(page.locator(`main [data-theme="${theme}"]`).first()).toBeVisible()
})

test('follows the theme of the page: first on a wide screen, alone on a phone', async ({ page }) => {
  const sides = page.locator('main [data-theme]')
  await expect(sides.first()).toHaveAttribute('data-theme', 'light')
  await page.getByRole('button', { name: 'Switch to the dark theme' }).click()
  await expect(sides.first()).toHaveAttribute('data-theme', 'dark')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(sides.nth(1)).toBeHidden()
})
