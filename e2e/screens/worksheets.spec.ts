import { expect, test } from '../harness/test.ts'
import {
  createProject,
  createWorksheet,
  getEditor,
  getResults,
  pushChanges,
  waitUntilSaved,
  writeSql,
} from '../harness/worksheet.ts'
import { giveWorkspaceWithTables } from '../harness/workspace-data.ts'
import { enterDark } from './enter.ts'
import { DESK, PHONE, photograph } from './photograph.ts'

const STATUSES = `select status, count(*) as orders, sum(amount) as amount, max(amount) as largest
from shop.orders
group by status
order by orders desc`
const PLANNED = `select c.name, sum(o.amount) as amount
from shop.customers c
  join shop.orders o on o.customer_id = c.id
where o.status = 'paid'
group by c.name
order by amount desc
limit 10`

test('worksheets: list, editor, results, chart, plan, history', async ({ page, person, request }) => {
  test.slow()
  const { explorer } = await giveWorkspaceWithTables(request, person)
  const grid = getResults(page).getByRole('grid', { name: 'Result' })
  await enterDark(page, person)

  await test.step('before there is one', async () => {
    await page.goto(`${explorer}/worksheets/empty`)
    await expect(page.getByText('No worksheet open')).toBeVisible()
    await photograph(page, 'worksheets-empty')
    await page.goto(`${explorer}/worksheets`)
    await page.getByRole('button', { name: 'New project' }).click()
    await photograph(page, 'worksheets-project-new')
    await page.keyboard.press('Escape')
    await createProject(page, 'Revenue')
    await createWorksheet(page, 'by status')
    await page.setViewportSize(PHONE)
    await expect(page.getByLabel('SQL of by status.sql')).toBeVisible()
    await page.setViewportSize(DESK)
    await expect(getEditor(page)).toBeVisible()
    await photograph(page, 'worksheet-new')
  })

  await test.step('with a result, on its own and as a chart', async () => {
    await writeSql(page, STATUSES)
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(grid.getByRole('gridcell', { name: 'shipped' })).toBeVisible()
    await expect(page.locator('.suggest-widget.visible')).toBeHidden()
    await waitUntilSaved(page)
    await photograph(page, 'worksheet-result')
    await getResults(page).getByRole('button', { name: 'Chart', exact: true }).click()
    await expect(getResults(page).getByRole('slider')).toBeVisible()
    await photograph(page, 'worksheet-chart')
    await getResults(page).getByRole('button', { name: 'Rows', exact: true }).click()
  })

  await test.step('with a plan, and with an error', async () => {
    await writeSql(page, PLANNED)
    await page.getByRole('button', { name: 'More ways to run' }).click()
    await page.getByRole('menuitem', { name: 'Explain and analyze' }).click()
    await expect(getResults(page).getByRole('list', { name: 'Query plan' })).toBeVisible()
    await photograph(page, 'worksheet-plan')
    await writeSql(page, 'select oops from shop.orders')
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(getResults(page).getByRole('alert')).toContainText('column "oops" does not exist')
    await photograph(page, 'worksheet-error')
  })

  await test.step('published twice, with a diff', async () => {
    await writeSql(page, STATUSES)
    await waitUntilSaved(page)
    await page.getByRole('button', { name: 'Push', exact: true }).click()
    await expect(page.getByRole('dialog', { name: 'Publish changes' }).getByText('by status.sql')).toBeVisible()
    await photograph(page, 'worksheet-push')
    await page.keyboard.press('Escape')
    await pushChanges(page, 'Count orders')
    await writeSql(page, PLANNED)
    await waitUntilSaved(page)
    await pushChanges(page, 'Compare amounts')
    await page.getByRole('button', { name: 'Version history' }).click()
    const history = page.getByRole('dialog', { name: 'Version history' })
    await history.getByRole('button', { name: /^Count orders/ }).click()
    await expect(history.getByLabel('Changes')).toBeVisible()
    await photograph(page, 'worksheet-history')
    await page.keyboard.press('Escape')
  })

  await test.step('in the list', async () => {
    await page.goto(`${explorer}/worksheets`)
    await expect(page.getByRole('heading', { name: 'Revenue' })).toBeVisible()
    await photograph(page, 'worksheets-list')
  })
})
