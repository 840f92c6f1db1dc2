import { signIn } from '../../harness/people.ts'
import { expect, test } from '../../harness/test.ts'
import { createProject, createWorksheet, getResults, writeSql } from '../../harness/worksheet.ts'
import { giveWorkspaceWithTables } from '../../harness/workspace-data.ts'

test('tabs survive a reload; parameters, psql commands, settings and shortcuts', async ({ page, person, request }) => {
  test.slow()
  const { explorer } = await giveWorkspaceWithTables(request, person)
  await signIn(page, person, `${explorer}/worksheets`)
  await createProject(page, 'Revenue')
  const tabs = page.getByRole('navigation', { name: 'Open worksheets' })
  const grid = page.getByRole('region', { name: 'Results' }).getByRole('grid', { name: 'Result' })

  await test.step('two worksheets are two tabs, also after a reload', async () => {
    await createWorksheet(page, 'first')
    await page.goto(`${explorer}/worksheets`)
    await createWorksheet(page, 'second')
    await page.reload()
    await expect(tabs.getByRole('link')).toHaveText(['first.sql', 'second.sql'])
    await expect(tabs.getByRole('link', { name: 'second.sql' })).toHaveAttribute('aria-current', 'page')
  })

  await test.step('they are moved, closed and opened again by keyboard', async () => {
    await tabs.getByRole('link', { name: 'second.sql' }).focus()
    await page.keyboard.press('Control+ArrowLeft')
    await expect(tabs.getByRole('link')).toHaveText(['second.sql', 'first.sql'])
    await page.keyboard.press('Alt+w')
    await expect(page.getByRole('heading', { name: 'first.sql' })).toBeVisible()
    await expect(tabs.getByRole('link')).toHaveText(['first.sql'])
    await page.keyboard.press('Alt+Shift+W')
    await expect(page.getByRole('heading', { name: 'second.sql' })).toBeVisible()
    await tabs.getByRole('link', { name: 'first.sql' }).click({ button: 'middle' })
    await expect(tabs.getByRole('link')).toHaveText(['second.sql'])
  })

  const parameters = page.getByRole('form', { name: 'Parameters' })
  await test.step('parameters are asked for and remembered', async () => {
    await writeSql(page, 'select count(*) as orders from shop.orders where status = :status and id <= :order_id')
    await parameters.getByLabel(':status').fill('paid')
    await parameters.getByLabel(':order_id').fill('30')
    await parameters.getByLabel(':order_id').press('Enter')
    await expect(grid.getByRole('gridcell', { name: '10', exact: true })).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: 'Draft saved' })).toBeVisible()
    await page.reload()
    await expect(parameters.getByLabel(':order_id')).toHaveValue('30')
  })

  await test.step('results stay where they are when the parameters go', async () => {
    await expect(grid).toBeVisible()
    const place = await getResults(page).boundingBox()
    await writeSql(page, 'select 1')
    await expect(parameters).toBeHidden()
    expect(await getResults(page).boundingBox()).toEqual(place)
  })

  await test.step('a psql command describes a table', async () => {
    await writeSql(page, '\\d orders')
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByRole('tab', { name: 'Result 1' }).click()
    await expect(grid.getByRole('gridcell', { name: 'customer_id', exact: true })).toBeVisible()
  })

  await test.step('settings count at once; the shortcuts are listed', async () => {
    await page.getByRole('button', { name: 'Editor', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Editor settings' }).click()
    const settings = page.getByRole('dialog', { name: 'Editor settings' })
    await settings.getByLabel('Font size').selectOption('18')
    await expect(page.locator('.view-lines').first()).toHaveCSS('font-size', '18px')
    await page.keyboard.press('Escape')
    await page.locator('.monaco-editor').first().click()
    await page.keyboard.press('F1')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Run statement or selection')
  })
})
