import { type Page, expect } from '@playwright/test'

export const getResults = (page: Page) => page.getByRole('region', { name: 'Results' })

export const getEditor = (page: Page) => page.locator('.monaco-editor').first()

export const getSuggestion = (page: Page, text: string | RegExp) =>
  page.locator('.suggest-widget .monaco-list-row').filter({ hasText: text })

export async function createProject(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New project' }).click()
  await page.getByLabel('Project name').fill(name)
  await page.getByRole('button', { name: 'Create project' }).click()
  await expect(page.getByRole('heading', { name })).toBeVisible()
}

export async function createWorksheet(page: Page, name: string, project = 'Revenue'): Promise<void> {
  await page.getByRole('button', { name: 'New worksheet' }).click()
  const dialog = page.getByRole('dialog', { name: 'New worksheet' })
  const projects = dialog.getByLabel('Project')
  if ((await projects.count()) > 0) await projects.selectOption(project)
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Create worksheet' }).click()
  await expect(page.getByRole('heading', { name: `${name}.sql` })).toBeVisible()
}

export async function writeSql(page: Page, sql: string): Promise<void> {
  await getEditor(page).click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(sql)
}

export async function waitUntilSaved(page: Page): Promise<void> {
  await expect(page.getByRole('status').filter({ hasText: 'Draft saved' })).toBeVisible()
}

export async function pushChanges(page: Page, message: string): Promise<void> {
  await page.getByRole('button', { name: 'Push', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Publish changes' })
  await dialog.getByLabel('Message').fill(message)
  await dialog.getByRole('button', { name: 'Push to live' }).click()
  await expect(dialog).toBeHidden()
}

/** Keyboard only: command palette, message, Enter. */
export async function pushByKeyboard(page: Page, message: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  const palette = page.getByRole('dialog', { name: 'Search and commands' })
  await expect(palette.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('Push to live')
  await expect(palette.getByRole('option', { selected: true })).toContainText('Push to live')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Publish changes' })
  await expect(dialog.getByLabel('Message')).toBeFocused()
  await page.keyboard.type(message)
  await expect(dialog.getByRole('button', { name: 'Push to live' })).toBeEnabled()
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
}
