import { readFile } from 'node:fs/promises'
import { signIn } from '../../harness/people.ts'
import { expect, test } from '../../harness/test.ts'
import {
  createProject,
  createWorksheet,
  getEditor,
  getResults,
  getSuggestion,
  pushByKeyboard,
  pushChanges,
  waitUntilSaved,
  writeSql,
} from '../../harness/worksheet.ts'
import { giveWorkspaceWithTables } from '../../harness/workspace-data.ts'

const ZIP_SIGNATURE = 'PK'

test('a query from its first word to a schedule, and a row changed and set back', async ({
  page: firstTab,
  context,
  person,
  request,
}) => {
  test.slow()
  let page = firstTab
  const { explorer, database } = await giveWorkspaceWithTables(request, person)
  await signIn(page, person, `${explorer}/worksheets`)
  await createProject(page, 'Revenue')
  await createWorksheet(page, 'paid orders')
  const grid = () => getResults(page).getByRole('grid', { name: 'Result' })

  await test.step('a join is suggested, and the statement at the cursor run', async () => {
    await writeSql(page, 'select 42 as answer;\nselect c.name, o.amount from shop.customers c ')
    // Diagnostics need the catalogue.
    await expect(page.locator('.squiggly-error, .squiggly-warning').first()).toBeVisible()
    await page.keyboard.type('join ')
    await expect(getSuggestion(page, 'shop.orders o on o.customer_id = c.id')).toBeVisible()
    await page.keyboard.press('Enter')
    await page.keyboard.insertText(" where o.status = 'paid' order by o.id limit 20")
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(grid().getByRole('gridcell', { name: 'Customer 4', exact: true })).toBeVisible()
    await expect(getResults(page)).not.toContainText('answer')
  })

  await test.step('a slow one is cancelled', async () => {
    await writeSql(page, 'select count(*) from generate_series(1, 2000000000)')
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(getResults(page)).toContainText('Running')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(getResults(page)).toContainText('Cancelled')
  })

  await test.step('the tab is closed; in a new one the result is there', async () => {
    await writeSql(page, 'select status, count(*) as orders from shop.orders group by 1 order by 1')
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(grid().getByRole('gridcell', { name: 'shipped' })).toBeVisible()
    await waitUntilSaved(page)
    const address = page.url()
    const secondTab = await context.newPage()
    await page.close()
    page = secondTab
    await page.goto(address)
    await expect(grid().getByRole('gridcell', { name: 'shipped' })).toBeVisible()
  })

  await test.step('it is charted', async () => {
    await getResults(page).getByRole('button', { name: 'Chart', exact: true }).click()
    await expect(getResults(page).getByRole('slider')).toHaveAccessibleName(/orders by status/)
  })

  await test.step('it is exported for a spreadsheet', async () => {
    await getResults(page).getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Excel (XLSX)' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/\.xlsx$/)
    expect((await readFile(await download.path())).subarray(0, 2).toString()).toBe(ZIP_SIGNATURE)
  })

  await test.step('it is pushed, changed and pushed again; the first version is restored from its diff', async () => {
    await pushByKeyboard(page, 'Count orders')
    await writeSql(page, 'select status, sum(amount) as amount from shop.orders group by 1')
    await waitUntilSaved(page)
    await pushChanges(page, 'Sum amounts')
    await page.getByRole('button', { name: 'Version history' }).click()
    const history = page.getByRole('dialog', { name: 'Version history' })
    await history.getByRole('button', { name: /^Count orders/ }).click()
    await expect(history.getByLabel('Changes')).toContainText('+ select status, count(*) as orders')
    await history.getByRole('button', { name: 'Restore this version' }).click()
    await expect(getEditor(page)).toContainText('count(*) as orders')
    await waitUntilSaved(page)
    await pushChanges(page, 'Count orders again')
  })

  await test.step('it becomes a block of a dataflow, as it was published and not as the draft goes on', async () => {
    await writeSql(page, "select 'a draft' as draft")
    await waitUntilSaved(page)
    await page.getByRole('button', { name: 'Editor', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Run this as a dataflow' }).click()
    const runAs = page.getByRole('dialog', { name: 'Run this as a dataflow' })
    await runAs.getByLabel('Name of the dataflow').fill('Nightly counts')
    await runAs.getByRole('button', { name: 'Create block' }).click()
    await expect(page).toHaveURL(/\/dataflow\/[\w-]+\/editor\/task\/[\w-]+\/setup$/)
    await expect(page.getByText(/^From worksheet paid orders\.sql/)).toBeVisible()
    await expect(getEditor(page)).toContainText('count(*) as orders')
  })

  await test.step('it is scheduled', async () => {
    await page.getByLabel('Scope').selectOption('Any action (OR)')
    await page.getByRole('button', { name: 'Add action' }).click()
    await page.getByLabel('Schedule type').selectOption('Cron Schedule')
    await page.getByLabel('Cron expression').fill(`0 ${(new Date().getUTCHours() + 12) % 24} * * ? *`)
    await page.getByLabel('Time standard').selectOption('UTC')
    await expect(page.getByRole('list', { name: 'Next due times' }).getByRole('listitem')).toHaveCount(10)
  })

  await test.step('the block is published and runs', async () => {
    await page.getByRole('button', { name: /^Publish/ }).click()
    const dialog = page.getByRole('dialog', { name: /^Publish/ })
    await dialog.getByLabel('Message').fill('First version')
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Nothing to publish' })).toBeDisabled()
    await page.getByRole('link', { name: 'Canvas' }).click()
    await page.getByRole('button', { name: 'Run all' }).click()
    await page.getByRole('link', { name: 'Runs' }).click()
    await page.getByRole('button', { name: 'Canvas', exact: true }).click()
    await expect(page.getByRole('button', { name: /^Transformation paid orders / })).toContainText('Succeeded')
    await page.goto(`${explorer}/${database}/schema/data/table/paid_orders/preview`)
    const rows = page.getByRole('grid', { name: 'Rows of paid_orders' })
    await expect(rows.getByRole('columnheader', { name: /^orders/ })).toBeVisible()
    await expect(rows.getByRole('gridcell', { name: 'shipped', exact: true })).toBeVisible()
  })

  await test.step('a row is changed and set back', async () => {
    await page.goto(`${explorer}/${database}/schema/shop/table/orders/preview?sort=id`)
    const rows = page.getByRole('grid', { name: 'Rows of orders' })
    const cell = (text: string) => rows.getByRole('gridcell', { name: text, exact: true })
    await cell('1.50').dblclick()
    const panel = page.getByRole('dialog', { name: 'amount' })
    await panel.getByLabel('Value', { exact: true }).fill('1000.00')
    await panel.getByRole('button', { name: 'Change cell' }).click()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(page.getByText('One row changed.')).toBeVisible()
    await expect(cell('1000.00')).toBeVisible()
    await page.getByRole('button', { name: 'Undo last change' }).click()
    await expect(cell('1.50')).toBeVisible()
  })
})
