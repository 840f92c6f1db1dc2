import type { Page } from '@playwright/test'
import { arrowTo, tabTo } from '../keyboard.ts'
import { givePerson, giveView, signIn } from '../../harness/people.ts'
import { expect, test } from '../../harness/test.ts'
import {
  createProject,
  createWorksheet,
  getEditor,
  getResults,
  pushChanges,
  waitUntilSaved,
  writeSql,
} from '../../harness/worksheet.ts'
import { giveWorkspaceWithTables } from '../../harness/workspace-data.ts'

const ORDERS = 'select status, count(*) as orders from shop.orders group by 1 order by 1'

const getCell = (page: Page, name: string) =>
  getResults(page).getByRole('grid', { name: 'Result' }).getByRole('gridcell', { name })

test('a viewer reads and runs, and is told what the role does not allow', async ({
  page,
  visitor,
  person,
  request,
}) => {
  test.slow()
  const { account, explorer, database } = await giveWorkspaceWithTables(request, person)
  await signIn(page, person, `${explorer}/worksheets`)
  await createProject(page, 'Revenue')
  await createWorksheet(page, 'by status')
  await writeSql(page, ORDERS)
  await waitUntilSaved(page)
  await pushChanges(page, 'Count orders')
  const viewer = await givePerson()
  await giveView(viewer, account, 'shop')

  await test.step('a published worksheet is opened and run', async () => {
    await signIn(visitor, viewer, new URL(page.url()).pathname)
    await expect(getEditor(visitor)).toContainText('count(*) as orders')
    await visitor.getByRole('button', { name: 'Run', exact: true }).click()
    await expect(getCell(visitor, 'shipped')).toBeVisible()
  })

  await test.step('nothing is offered that would be refused, and it is told why', async () => {
    await expect(visitor.getByRole('button', { name: 'Push', exact: true })).toHaveCount(0)
    await visitor.getByText('Read-only').hover()
    await expect(visitor.getByRole('tooltip')).toContainText('Pushing, scheduling and changing rows')
    await visitor.mouse.move(0, 0)
    await visitor.getByRole('button', { name: 'Editor', exact: true }).click()
    await expect(visitor.getByRole('menuitem', { name: 'Editor settings' })).toBeVisible()
    await expect(visitor.getByRole('menuitem', { name: 'Run this as a dataflow' })).toHaveCount(0)
    await visitor.keyboard.press('Escape')
  })

  await test.step('a statement that writes is refused by the database', async () => {
    await writeSql(visitor, "insert into shop.customers values (9001, 'Nobody')")
    await visitor.keyboard.press('ControlOrMeta+Enter')
    await expect(getResults(visitor).getByRole('alert')).toContainText('Your role in this workspace is viewer')
  })

  await test.step('rows are only read', async () => {
    await visitor.goto(`${explorer}/${database}/schema/shop/table/orders/preview`)
    await expect(visitor.getByRole('grid', { name: 'Rows of orders' })).toBeVisible()
    await visitor.getByText('Read-only').hover()
    await expect(visitor.getByRole('tooltip')).toContainText(/role/)
    await expect(visitor.getByRole('button', { name: 'Add row' })).toHaveCount(0)
  })
})

test('a worksheet is read and run on a phone', async ({ page, person, request }) => {
  test.slow()
  await page.setViewportSize({ width: 390, height: 844 })
  const { explorer } = await giveWorkspaceWithTables(request, person)
  await signIn(page, person, `${explorer}/worksheets`)
  await createProject(page, 'Revenue')
  await createWorksheet(page, 'by status')
  await page.getByLabel('SQL of by status.sql').fill(ORDERS)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(getCell(page, 'shipped')).toBeVisible()
  // Hidden on phones.
  await expect(page.getByRole('status', { includeHidden: true }).filter({ hasText: 'Draft saved' })).toBeAttached()
  await page.reload()
  await expect(getCell(page, 'shipped')).toBeVisible()
  await expect(page.getByLabel('SQL of by status.sql')).toHaveValue(ORDERS)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('a worksheet is made, run and exported by keyboard alone', async ({ page, person, request }) => {
  test.slow()
  const { explorer } = await giveWorkspaceWithTables(request, person)
  await signIn(page, person, `${explorer}/worksheets`)

  await test.step('it is made', async () => {
    const make = page.getByRole('button', { name: 'New worksheet' })
    await expect(make).toBeVisible()
    await tabTo(page, make)
    await page.keyboard.press('Enter')
    const name = page.getByRole('dialog', { name: 'New worksheet' }).getByLabel('Name')
    await tabTo(page, name)
    await page.keyboard.type('by status')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'by status.sql' })).toBeVisible()
  })

  await test.step('it is written and run: the editor has the focus', async () => {
    await expect(getEditor(page)).toHaveClass(/focused/)
    await page.keyboard.insertText(ORDERS)
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(getCell(page, 'shipped')).toBeVisible()
  })

  await test.step('F6 goes to the rows, and back', async () => {
    await page.keyboard.press('F6')
    await expect(getResults(page).locator(':focus')).toBeVisible()
    await page.keyboard.press('F6')
    await expect(getEditor(page)).toHaveClass(/focused/)
    await page.keyboard.press('F6')
    await expect(getResults(page).locator(':focus')).toBeVisible()
  })

  await test.step('it is exported', async () => {
    await tabTo(page, getResults(page).getByRole('button', { name: 'Export' }), 'Shift+Tab')
    await page.keyboard.press('Enter')
    const csv = page.getByRole('menuitem', { name: 'CSV' })
    await expect(csv).toBeVisible()
    const download = page.waitForEvent('download')
    await arrowTo(page, csv)
    await page.keyboard.press('Enter')
    expect((await download).suggestedFilename()).toMatch(/\.csv$/)
  })
})
