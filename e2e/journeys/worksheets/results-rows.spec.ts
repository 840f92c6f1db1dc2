import type { Page } from '@playwright/test'
import { signIn } from '../../harness/people.ts'
import { expect, test } from '../../harness/test.ts'
import { giveWorkspaceWithTables } from '../../harness/workspace-data.ts'

const SALES =
  "select n as id, (array['north', 'south', 'west'])[n % 3 + 1] as region, case when n % 2 = 0 then 'open' else 'paid' end as status, n * 10 as amount, n % 5 = 0 as is_large from generate_series(1, 900) n"

async function run(page: Page, sql: string): Promise<void> {
  await page.locator('.monaco-editor').first().click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(sql)
  await page.keyboard.press('ControlOrMeta+Enter')
}

test('rows are sorted, filtered, measured, pivoted, copied as INSERT, exported and compared without a new query', async ({
  page,
  person,
  request,
  context,
}) => {
  test.slow()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { explorer } = await giveWorkspaceWithTables(request, person)
  await signIn(page, person, `${explorer}/worksheets`)
  await page.getByRole('button', { name: 'New worksheet' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New worksheet' })
  await dialog.getByLabel('Name').fill('sales')
  await dialog.getByRole('button', { name: 'Create worksheet' }).click()
  const results = page.getByRole('region', { name: 'Results' })
  const grid = results.getByRole('grid', { name: 'Result' })
  const firstRow = grid.getByRole('row').nth(1)
  const view = (name: string) => results.getByRole('group', { name: 'View' }).getByRole('button', { name }).click()
  await run(page, SALES)
  await expect(results).toContainText('900 rows')

  await test.step('sorted by the menu of a column', async () => {
    await grid.getByRole('button', { name: 'Menu of amount' }).click()
    await page.getByRole('menuitem', { name: 'Sort descending' }).click()
    await expect(firstRow).toContainText('9000')
  })

  await test.step('filtered by value, with statistics of the column', async () => {
    await grid.getByRole('button', { name: 'Menu of region' }).click()
    await page.getByRole('menuitem', { name: 'Filter and statistics' }).click()
    const panel = page.getByRole('dialog', { name: 'region' })
    await expect(panel.getByRole('region', { name: 'Statistics' })).toContainText('Distinct values3')
    await panel.getByLabel(/^south/).check()
    await panel.getByRole('button', { name: 'Close' }).click()
    await expect(results.getByRole('button', { name: 'region is south' })).toBeVisible()
    await expect(results).toContainText('300 of 900 rows match. All 900 rows of the result.')
    await expect(firstRow).toContainText('8980')
  })

  await test.step('a number has a mean and a histogram', async () => {
    await grid.getByRole('button', { name: 'Menu of amount' }).click()
    await page.getByRole('menuitem', { name: 'Filter and statistics' }).click()
    const panel = page.getByRole('dialog', { name: 'amount' })
    await expect(panel.getByRole('img', { name: /^Histogram from 10 to 8980/ })).toBeVisible()
    await panel.getByLabel('Filter').selectOption('From – to')
    await panel.getByRole('spinbutton', { name: 'From' }).fill('8900')
    await page.keyboard.press('Escape')
    await expect(results).toContainText('3 of 900 rows match.')
  })

  await test.step('copied as INSERT, also a range of cells by keyboard', async () => {
    await grid.focus()
    await page.keyboard.press('ControlOrMeta+Home')
    await page.keyboard.press('Shift+End')
    await results.getByRole('button', { name: 'Copy 5 cells' }).click()
    await page.getByRole('menuitem', { name: 'Copy as INSERT statements' }).click()
    await expect(page.getByText('5 cells copied.')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      'insert into my_table ("id", "region", "status", "amount", "is_large") values\n' +
        "  (898, 'south', 'open', 8980, false);",
    )
  })

  await test.step('columns are pinned, hidden and shown again', async () => {
    await grid.getByRole('button', { name: 'Menu of amount' }).click()
    await page.getByRole('menuitem', { name: 'Pin to the left' }).click()
    await expect(grid.getByRole('columnheader').nth(1)).toContainText('amount')
    await grid.getByRole('button', { name: 'Menu of status' }).click()
    await page.getByRole('menuitem', { name: 'Hide' }).click()
    await expect(grid.getByRole('columnheader', { name: /status/ })).toBeHidden()
    await results.getByRole('button', { name: 'Show 1 hidden' }).click()
    await expect(grid.getByRole('columnheader', { name: /status/ })).toBeVisible()
    await results.getByRole('button', { name: 'Remove the filter of region' }).click()
    await results.getByRole('button', { name: 'Remove the filter of amount' }).click()
  })

  await test.step('pivoted', async () => {
    await view('Pivot')
    const pivot = results.getByRole('grid', { name: 'Pivot' })
    await expect(pivot.getByRole('row', { name: /north/ })).toContainText('1,354,500')
    await expect(pivot.getByRole('row', { name: /^Total/ })).toContainText('4,054,500')
  })

  await test.step('exported as XLSX', async () => {
    await results.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Excel (XLSX)' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/\.xlsx$/)
  })

  await test.step('compared with the earlier result', async () => {
    await view('Rows')
    await run(page, SALES.replace('n * 10', 'case when n = 2 then 5 else n * 10 end').replace('(1, 900)', '(2, 901)'))
    await expect(firstRow).toContainText('west')
    await view('Compare')
    await results.getByLabel('Compare with').selectOption({ index: 1 })
    await expect(results.getByRole('status')).toContainText('1 new, 1 gone, 1 changed, 898 the same.')
    const changes = results.getByRole('grid', { name: 'Changes' })
    await expect(changes.getByRole('gridcell', { name: '20 → 5' })).toBeVisible()
  })
})
