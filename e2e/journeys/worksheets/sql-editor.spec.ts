import type { APIRequestContext, Page } from '@playwright/test'
import { type Person, signIn } from '../../harness/people.ts'
import { expect, test } from '../../harness/test.ts'
import {
  createProject,
  createWorksheet,
  getEditor,
  getResults,
  getSuggestion,
  writeSql,
} from '../../harness/worksheet.ts'
import { giveWorkspaceWithTables } from '../../harness/workspace-data.ts'

interface Opening {
  page: Page
  request: APIRequestContext
  person: Person
}

async function openWorksheet({ page, request, person }: Opening, name: string) {
  const givenWorkspace = await giveWorkspaceWithTables(request, person)
  await signIn(page, person, `${givenWorkspace.explorer}/worksheets`)
  await createProject(page, 'Revenue')
  await createWorksheet(page, name)
  const editor = getEditor(page)
  await expect(editor).toBeVisible()
  return { editor, results: getResults(page), ...givenWorkspace }
}

test('a join is suggested, a wrong name is fixed and the text formatted, by keyboard alone', async ({
  page,
  person,
  request,
}) => {
  test.slow()
  const { editor, results } = await openWorksheet({ page, request, person }, 'joins')

  await test.step('a join from the foreign key', async () => {
    await writeSql(page, 'select c.name, o.amount from shop.customers c ')
    // Diagnostics need the catalogue.
    await expect(page.locator('.squiggly-error, .squiggly-warning').first()).toBeVisible()
    await page.keyboard.type('join ')
    await expect(getSuggestion(page, 'shop.orders o on o.customer_id = c.id')).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(editor).toContainText('join shop.orders o on o.customer_id = c.id')
    await expect(page.locator('.squiggly-error, .squiggly-warning')).toHaveCount(0)
  })

  await test.step('columns behind an alias, and the statement runs', async () => {
    await page.keyboard.type(' where o.sta')
    await expect(getSuggestion(page, 'status')).toBeVisible()
    await page.keyboard.press('Enter')
    await page.keyboard.type(" = 'paid' limit 3")
    await page.keyboard.press('Escape')
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(results.getByRole('grid', { name: 'Result' })).toContainText('Customer')
  })

  await test.step('a part of a name finds a table; Enter behind a new alias is a new line', async () => {
    await writeSql(page, 'select * from shop.')
    await page.keyboard.type('tomer')
    await expect(getSuggestion(page, 'customers')).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(editor).toContainText('from shop.customers')
    await page.keyboard.type(' x')
    await page.keyboard.press('Enter')
    await page.keyboard.type('limit 1')
    await expect.poll(() => page.locator('.view-line').allInnerTexts()).toHaveLength(2)
    await page.keyboard.press('Escape')
    await writeSql(
      page,
      'select c.name, o.amount from shop.customers c join shop.orders o on true where o.id = 1 limit 3',
    )
  })

  await test.step('it is formatted, and one undo brings it back', async () => {
    await page.keyboard.press('Shift+Alt+F')
    await expect.poll(() => page.locator('.view-line').count()).toBeGreaterThan(4)
    await page.keyboard.press('ControlOrMeta+Z')
    await expect.poll(() => page.locator('.view-line').count()).toBe(1)
  })

  await test.step('a table that does not exist is changed to the one that was meant', async () => {
    await writeSql(page, 'select * from shop.ordrs')
    await expect(page.locator('.squiggly-warning')).toBeVisible()
    await page.keyboard.press('ControlOrMeta+.')
    await expect(page.getByText('Change to shop.orders')).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(editor).toContainText('select * from shop.orders')
    await expect(page.locator('.squiggly-warning')).toHaveCount(0)
  })

  await test.step('syntax errors are marked while typing', async () => {
    await writeSql(page, 'select 1;\nselect from where')
    await expect(page.locator('.squiggly-error')).toBeVisible()
  })

  await test.step('a function shows its arguments, a column its type', async () => {
    await writeSql(page, 'select status from shop.orders where placed_at > date_trunc')
    await page.keyboard.type('(')
    await expect(page.locator('.parameter-hints-widget')).toContainText('date_trunc(')
    await page.keyboard.press('Escape')
    await page
      .locator('.view-line')
      .first()
      .hover({ position: { x: 75, y: 8 } })
    await expect(page.locator('.monaco-hover').first()).toContainText('orders.status text')
  })
})
