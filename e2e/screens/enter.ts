import { expect, type Page } from '@playwright/test'
import { type Person, signIn } from '../harness/people.ts'

export async function enterDark(page: Page, person: Person): Promise<void> {
  await signIn(page, person)
  await expect(page.locator('html'), 'light until something else is chosen').toHaveAttribute('data-theme', 'light')
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await page.getByRole('button', { name: 'Switch to the dark theme' }).click()
  await saved
}
