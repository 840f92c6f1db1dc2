import { readFile } from 'node:fs/promises'
import { seen } from '../harness/notices.ts'
import { signIn } from '../harness/people.ts'
import { expect, test } from '../harness/test.ts'
import { giveWorkspaceWithTables } from '../harness/workspace-data.ts'

test('a table is found, looked into, described, renamed, exported and deleted', async ({ page, person, request }) => {
  test.slow()
  const { explorer, database } = await giveWorkspaceWithTables(request, person)
  await signIn(page, person, `${explorer}/home`)

  await test.step('the tree leads to it by keys', async () => {
    const tree = page.getByRole('tree')
    await expect(tree.getByRole('treeitem', { name: 'shop', exact: true })).toBeVisible()
    await tree.focus()
    await page.keyboard.type('sh')
    await page.keyboard.press('ArrowRight')
    await expect(tree.getByRole('treeitem', { name: 'orders' })).toBeVisible()
    await page.keyboard.type('ord')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`${explorer}/${database}/schema/shop/table/orders/preview`)
  })
  const grid = page.getByRole('grid', { name: 'Rows of orders' })
  const cells = (row: number) => grid.getByRole('row').nth(row).getByRole('gridcell')

  await test.step('rows come as one scrolls, and are counted only when asked for', async () => {
    await expect(cells(1).first()).toHaveText('1')
    await expect(page.getByText('about 2,500 rows, 100 loaded')).toBeVisible()
    await grid.focus()
    await page.keyboard.press('Control+End')
    await expect(page.getByText('about 2,500 rows, 200 loaded')).toBeVisible()
    await page.getByRole('button', { name: 'Count exactly' }).click()
    await expect(page.getByText(/^2,500 rows, /)).toBeVisible()
  })

  await test.step('a long cell opens whole', async () => {
    await grid.focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    const panel = page.getByRole('dialog', { name: 'extra' })
    const value = panel.getByRole('textbox', { name: 'Value' })
    await expect(value).toHaveValue(/"channel": "web"/)
    expect((await value.inputValue()).length).toBeGreaterThan(10_000)
    await page.keyboard.press('Escape')
  })

  await test.step('filter and order are the database’s work and stand in the address', async () => {
    await page.getByRole('button', { name: 'Add filter' }).click()
    const form = page.getByRole('form', { name: 'New filter' })
    await form.getByLabel('Column').selectOption('amount')
    await form.getByLabel('Condition').selectOption('is more than')
    await form.getByLabel('Value').fill('390')
    await form.getByRole('button', { name: 'Apply' }).click()
    await expect(page.getByText(/^5\d rows$/)).toBeVisible()
    await grid.getByRole('button', { name: /^amount/ }).click()
    await expect(page).toHaveURL(/sort=amount/)
    await expect(cells(1).nth(3)).toHaveText('390.50')
    await grid.getByRole('button', { name: /^amount/ }).click()
    await expect(cells(1).nth(3)).toHaveText('399.50')
    await page.reload()
    await expect(cells(1).nth(3)).toHaveText('399.50')
  })

  const actions = page.getByRole('button', { name: 'Actions for orders' })
  await test.step('a label is made and put on it', async () => {
    await actions.click()
    await page.getByRole('menuitem', { name: 'Labels…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Labels of orders' })
    await dialog.getByRole('button', { name: 'New label' }).click()
    await dialog.getByLabel('Label name').fill('Gold')
    await dialog.getByRole('button', { name: 'Create label' }).click()
    await expect(dialog.getByLabel('Gold')).toBeChecked()
    await dialog.getByRole('button', { name: 'Save labels' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.locator('#content header').getByText('Gold', { exact: true })).toBeVisible()
  })

  await test.step('the description is written to the table itself', async () => {
    await page.getByRole('link', { name: 'Description' }).click()
    await page.getByLabel('Description of status').fill('Where the order stands')
    await Promise.all([
      seen(page, 'Description saved.'),
      page.getByRole('button', { name: 'Save description' }).click(),
    ])
    await page.getByRole('navigation', { name: 'Table' }).getByRole('link', { name: 'Details' }).click()
    await expect(page.getByText('Where the order stands')).toBeVisible()
    await expect(page.getByRole('link', { name: 'View shop.daily_revenue' })).toBeVisible()
  })

  await test.step('it gets another name', async () => {
    await actions.click()
    await page.getByRole('menuitem', { name: 'Rename…' }).click()
    await page.getByRole('dialog').getByLabel('Table name').fill('sales / 2026?')
    await Promise.all([
      seen(page, 'Table renamed.'),
      page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click(),
    ])
    await expect(page.getByRole('heading', { name: 'sales / 2026?' })).toBeVisible()
    await expect(page.getByRole('grid', { name: 'Rows of sales / 2026?' })).toBeVisible()
    await expect(page.getByRole('tree').getByRole('treeitem', { name: 'sales / 2026?' })).toBeVisible()
  })

  await test.step('its rows are exported', async () => {
    await page.getByRole('button', { name: 'Export' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Start export' }).click()
    const button = dialog.getByRole('button', { name: /^Download / })
    await expect(button).toBeVisible()
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n')
    expect(lines).toHaveLength(2501)
    expect(lines[0]?.trim()).toBe('id,customer_id,status,amount,placed_at,extra')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
  })

  await test.step('deleting it tells what goes with it', async () => {
    await page.getByRole('button', { name: 'Actions for sales / 2026?' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText('View shop.daily_revenue')).toBeVisible()
    await dialog.getByLabel('Delete it all the same').check()
    await dialog.getByLabel('Type delete to confirm').fill('delete')
    await Promise.all([
      seen(page, 'sales / 2026? deleted.'),
      dialog.getByRole('button', { name: 'Delete', exact: true }).click(),
    ])
    await expect(page).toHaveURL(`${explorer}/${database}/schema/shop/tables`)
    await expect(page.getByRole('table', { name: 'Tables' }).getByRole('row')).toHaveCount(2)
  })
})
