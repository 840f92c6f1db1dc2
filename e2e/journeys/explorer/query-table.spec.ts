import { signIn } from '../../harness/people.ts'
import { expect, test } from '../../harness/test.ts'
import { giveWorkspaceWithTables } from '../../harness/workspace-data.ts'

test('a table is queried from its page, from the tree and from the palette', async ({ page, person, request }) => {
  test.slow()
  const { explorer, database } = await giveWorkspaceWithTables(request, person)
  await signIn(page, person, `${explorer}/${database}/schema/shop/table/orders/preview`)
  const grid = page.getByRole('region', { name: 'Results' }).getByRole('grid', { name: 'Result' })
  const editor = page.locator('.monaco-editor').first()

  await test.step('the page opens a worksheet with a statement that has run', async () => {
    await page.getByRole('link', { name: 'Query', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'orders.sql' })).toBeVisible()
    await expect(editor).toContainText('select id, customer_id, status, amount, placed_at, extra')
    await expect(editor).toContainText('from shop.orders')
    await expect(grid.getByRole('gridcell', { name: 'shipped' }).first()).toBeVisible()
  })

  await test.step('asked again, the worksheet that nobody wrote in is opened', async () => {
    const first = page.url()
    await page.goto(`${explorer}/${database}/schema/shop/table/orders/query`)
    await expect(page).toHaveURL(first)
  })

  await test.step('the menu of the tree has it', async () => {
    const tree = page.getByRole('tree')
    await tree.getByRole('treeitem', { name: 'customers' }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Query this table' }).click()
    await expect(page.getByRole('heading', { name: 'customers.sql' })).toBeVisible()
    await expect(grid.getByRole('gridcell', { name: 'Customer 1', exact: true })).toBeVisible()
  })

  await test.step('so has the palette, for a view as well', async () => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Search' }).click()
    await page.getByPlaceholder('Search pages, tables').fill('daily_rev')
    await page.getByRole('option', { name: /^Query daily_revenue/ }).click()
    await expect(page.getByRole('heading', { name: 'daily_revenue.sql' })).toBeVisible()
    await expect(editor).toContainText('select day, revenue')
  })
})
