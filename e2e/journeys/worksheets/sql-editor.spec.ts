import type { APIRequestContext, Page } from '@playwright/test'
import { type Person, signIn } from '../../harness/people.ts'
import { expect, test } from '../../harness/test.ts'
import { giveWorkspaceWithTables } from '../../harness/workspace-data.ts'

interface Opening {
  page: Page
  request: APIRequestContext
  person: Person
}

async function openWorksheet({ page, request, person }: Opening, name: string) {
  const given = await giveWorkspaceWithTables(request, person)
  await signIn(page, person, `${given.explorer}/worksheets`)
  await page.getByRole('button', { name: 'New project' }).click()
  await page.getByLabel('Project name').fill('Revenue')
  await page.getByRole('button', { name: 'Create project' }).click()
  await expect(page.getByRole('heading', { name: 'Revenue' })).toBeVisible()
  await page.getByRole('button', { name: 'New worksheet' }).click()
  const dialog = page.getByRole('dialog', { name: 'New worksheet' })
  const projects = dialog.getByLabel('Project')
  if ((await projects.count()) > 0) await projects.selectOption('Revenue')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Create worksheet' }).click()
  const editor = page.locator('.monaco-editor').first()
  await expect(editor).toBeVisible()
  return { editor, results: page.getByRole('region', { name: 'Results' }), ...given }
}

const suggestion = (page: Page, text: string | RegExp) =>
  page.locator('.suggest-widget .monaco-list-row').filter({ hasText: text })

async function write(page: Page, sql: string) {
  await page.locator('.monaco-editor').first().click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(sql)
}

test('a join is suggested, a wrong name is fixed and the text formatted, by keyboard alone', async ({
  page,
  person,
  request,
}) => {
  test.slow()
  const { editor, results } = await openWorksheet({ page, request, person }, 'joins')

  await test.step('a join from the foreign key', async () => {
    await write(page, 'select c.name, o.amount from shop.customers c ')
    // Marks of what does not exist are there as soon as the catalogue is.
    await expect(page.locator('.squiggly-error, .squiggly-warning').first()).toBeVisible()
    await page.keyboard.type('join ')
    await expect(suggestion(page, 'shop.orders o on o.customer_id = c.id')).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(editor).toContainText('join shop.orders o on o.customer_id = c.id')
    await expect(page.locator('.squiggly-error, .squiggly-warning')).toHaveCount(0)
  })

  await test.step('columns behind an alias, and the statement runs', async () => {
    await page.keyboard.type(' where o.sta')
    await expect(suggestion(page, 'status')).toBeVisible()
    await page.keyboard.press('Enter')
    await page.keyboard.type(" = 'paid' limit 3")
    await page.keyboard.press('Escape')
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(results.getByRole('grid', { name: 'Result' })).toContainText('Customer')
  })

  await test.step('it is formatted, and one undo brings it back', async () => {
    await page.keyboard.press('Shift+Alt+F')
    await expect.poll(() => page.locator('.view-line').count()).toBeGreaterThan(4)
    await page.keyboard.press('ControlOrMeta+Z')
    await expect.poll(() => page.locator('.view-line').count()).toBe(1)
  })

  await test.step('a table that does not exist is changed to the one that was meant', async () => {
    await write(page, 'select * from shop.ordrs')
    await expect(page.locator('.squiggly-warning')).toBeVisible()
    await page.keyboard.press('ControlOrMeta+.')
    await expect(page.getByText('Change to shop.orders')).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(editor).toContainText('select * from shop.orders')
    await expect(page.locator('.squiggly-warning')).toHaveCount(0)
  })

  await test.step('syntax errors are marked while typing', async () => {
    await write(page, 'select 1;\nselect from where')
    await expect(page.locator('.squiggly-error')).toBeVisible()
  })

  await test.step('a function shows its arguments, a column its type', async () => {
    await write(page, 'select status from shop.orders where placed_at > date_trunc')
    await page.keyboard.type('(')
    await expect(page.locator('.parameter-hints-widget')).toContainText('date_trunc(')
    await page.keyboard.press('Escape')
    // The second word of the line.
    await page
      .locator('.view-line')
      .first()
      .hover({ position: { x: 75, y: 8 } })
    await expect(page.locator('.monaco-hover').first()).toContainText('orders.status text')
  })
})
