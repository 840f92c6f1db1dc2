import { readFile } from 'node:fs/promises'
import { signIn } from '../../harness/people.ts'
import { answered, expect, test } from '../../harness/test.ts'
import { giveWorkspaceWithTables } from '../../harness/workspace-data.ts'

/** Destructive statements need a confirmation. */
test.use({ expectedErrors: answered(409) })

test('a worksheet is written, run, cancelled, found again, exported, published, changed and restored', async ({
  page,
  person,
  request,
}) => {
  test.slow()
  const { explorer } = await giveWorkspaceWithTables(request, person)
  await signIn(page, person, `${explorer}/worksheets`)
  const results = page.getByRole('region', { name: 'Results' })
  const grid = results.getByRole('grid', { name: 'Result' })
  const editor = page.locator('.monaco-editor').first()
  const write = async (sql: string) => {
    await editor.click()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.press('Delete')
    await page.keyboard.insertText(sql)
  }
  const saved = () => expect(page.getByRole('status').filter({ hasText: 'Draft saved' })).toBeVisible()

  await test.step('a project and a worksheet are made', async () => {
    await page.getByRole('button', { name: 'New project' }).click()
    await page.getByLabel('Project name').fill('Revenue')
    await page.getByRole('button', { name: 'Create project' }).click()
    await expect(page.getByRole('heading', { name: 'Revenue' })).toBeVisible()
    await page.getByRole('button', { name: 'New worksheet' }).click()
    const dialog = page.getByRole('dialog', { name: 'New worksheet' })
    const projects = dialog.getByLabel('Project')
    if ((await projects.count()) > 0) await projects.selectOption('Revenue')
    await dialog.getByLabel('Name').fill('by status')
    await dialog.getByRole('button', { name: 'Create worksheet' }).click()
    await expect(page.getByRole('heading', { name: 'by status.sql' })).toBeVisible()
    await expect(page).toHaveURL(/\/worksheet\/\w+\/by%20status\.sql\/code-editor$/)
  })

  await test.step('the statement at the cursor is run, and all of them', async () => {
    await write('select status, count(*) as orders from shop.orders group by 1 order by 1;\nselect 42 as answer')
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(grid.getByRole('gridcell', { name: '42' })).toBeVisible()
    await page.getByRole('button', { name: 'More ways to run' }).click()
    await page.getByRole('menuitem', { name: 'Run all statements' }).click()
    await results.getByRole('tab', { name: 'Result 1' }).click()
    await expect(grid.getByRole('gridcell', { name: 'shipped' })).toBeVisible()
    await saved()
  })

  await test.step('what is wrong is shown where it is', async () => {
    await write('select 1;\nselect oops from shop.orders')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await expect(results.getByRole('alert')).toContainText('column "oops" does not exist')
    await expect(page.locator('.squiggly-error')).toBeVisible()
  })

  await test.step('what destroys is asked about first', async () => {
    await write('delete from shop.orders')
    await page.keyboard.press('ControlOrMeta+Enter')
    const question = page.getByRole('dialog', { name: 'Run this anyway?' })
    await expect(question).toContainText('every row of orders')
    await question.getByRole('button', { name: 'Cancel' }).click()
  })

  await test.step('a slow one is cancelled', async () => {
    await write('select count(*) from generate_series(1, 2000000000)')
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(results).toContainText('Running')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(results).toContainText('Cancelled')
  })

  await test.step('text and result are there again after a reload', async () => {
    await write("select n, 'row ' || n as name from generate_series(1, 1200) n")
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(results).toContainText('1,000 rows (row limit 1,000 reached)')
    await saved()
    await page.reload()
    await expect(grid.getByRole('gridcell', { name: 'row 1', exact: true })).toBeVisible()
    await expect(editor).toContainText('generate_series(1, 1200)')
  })

  await test.step('the whole result is exported', async () => {
    await results.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV' }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n')
    expect(lines).toHaveLength(1201)
    expect(lines[0]).toBe('n,name')
  })

  await test.step('it is explained', async () => {
    await write('select * from shop.orders where amount > 100')
    await page.getByRole('button', { name: 'More ways to run' }).click()
    await page.getByRole('menuitem', { name: 'Explain and analyze' }).click()
    await expect(results.getByRole('list', { name: 'Query plan' })).toContainText('Seq Scan on orders')
    await saved()
  })

  await test.step('it is published, changed, published again and restored', async () => {
    const push = async (message: string) => {
      await page.getByRole('button', { name: 'Push', exact: true }).click()
      const dialog = page.getByRole('dialog', { name: 'Publish changes' })
      await expect(dialog.getByText('by status.sql')).toBeVisible()
      await dialog.getByLabel('Message').fill(message)
      await dialog.getByRole('button', { name: 'Push to live' }).click()
      await expect(dialog).toBeHidden()
    }
    await push('Orders above 100')
    await write('select * from shop.orders where amount > 200')
    await saved()
    await push('Orders above 200')
    await page.getByRole('button', { name: 'Version history' }).click()
    const history = page.getByRole('dialog', { name: 'Version history' })
    await history.getByRole('button', { name: /^Orders above 100/ }).click()
    await expect(history.getByLabel('Changes')).toContainText('+ select * from shop.orders where amount > 100')
    await history.getByRole('button', { name: 'Restore this version' }).click()
    await expect(editor).toContainText('amount > 100')
  })
})
