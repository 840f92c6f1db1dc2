import type { Page } from '@playwright/test'
import { givePerson, giveView, signIn } from '../../harness/people.ts'
import { expect, test } from '../../harness/test.ts'
import {
  createProject,
  createWorksheet,
  getEditor,
  pushChanges,
  waitUntilSaved,
  writeSql,
} from '../../harness/worksheet.ts'
import { giveWorkspaceWithTables } from '../../harness/workspace-data.ts'

const holdSaves = (page: Page) =>
  page.route('**/project-manager/**', (route) =>
    route.request().method() === 'GET' ? route.fallback() : new Promise<void>(() => undefined),
  )

async function logout(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Profile menu/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
}

test('what was typed last survives a reload and a sign-out, for nobody else', async ({ page, person, request }) => {
  test.slow()
  const { account, explorer } = await giveWorkspaceWithTables(request, person)
  const colleague = await givePerson()
  await giveView(colleague, account, 'shop')
  await signIn(page, person, `${explorer}/worksheets`)
  await createProject(page, 'Revenue')
  await createWorksheet(page, 'notes')
  await writeSql(page, 'select 1 as published')
  await waitUntilSaved(page)
  await pushChanges(page, 'First version')
  const { pathname } = new URL(page.url())
  await holdSaves(page)

  await test.step('a reload right after the last key', async () => {
    await writeSql(page, 'select 2 as draft')
    await page.keyboard.type('_of_mine')
    await page.reload()
    await expect(getEditor(page)).toContainText('draft_of_mine')
  })

  await test.step('a sign-out right after the last key; another person sees the published text', async () => {
    await getEditor(page).click()
    await page.keyboard.press('ControlOrMeta+End')
    await page.keyboard.type('_at_last')
    await logout(page)
    await signIn(page, colleague, pathname)
    await expect(getEditor(page)).toContainText('select 1 as published')
    await expect(getEditor(page)).not.toContainText('draft_of_mine')
    await logout(page)
  })

  await test.step('the same person finds it again, and it is saved', async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await signIn(page, person, pathname)
    await expect(getEditor(page)).toContainText('draft_of_mine_at_last')
    await waitUntilSaved(page)
  })
})

test('what was typed last is there when a window becomes wide or narrow', async ({ page, person, request }) => {
  const { explorer } = await giveWorkspaceWithTables(request, person)
  await signIn(page, person, `${explorer}/worksheets`)
  await createProject(page, 'Revenue')
  await createWorksheet(page, 'turned')
  await writeSql(page, 'select 1 as desk')
  await waitUntilSaved(page)
  // The wide editor, which stays for a moment, has the same label.
  const plain = page.getByRole('textbox', { name: 'SQL of turned' }).and(page.locator('textarea'))
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(plain).toHaveValue('select 1 as desk')

  // At once: a moment later the draft would have been saved.
  await plain.fill('select 2 as phone')
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(getEditor(page)).toContainText('select 2 as phone')
  await getEditor(page).click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type('_and_desk')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(plain).toHaveValue('select 2 as phone_and_desk')
})
