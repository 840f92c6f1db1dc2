import AxeBuilder from '@axe-core/playwright'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { signIn } from '../../harness/people.ts'
import { expect, test } from '../../harness/test.ts'
import { giveWorkspaceWithTables } from '../../harness/workspace-data.ts'

const results = (page: Page) => page.getByRole('region', { name: 'Results' })

async function runInWorksheet(page: Page, sql: string): Promise<void> {
  await page.getByRole('button', { name: 'New worksheet' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New worksheet' })
  await dialog.getByLabel('Name').fill('charted')
  await dialog.getByRole('button', { name: 'Create worksheet' }).click()
  await page.locator('.monaco-editor').first().click()
  await page.keyboard.insertText(sql)
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(results(page).getByRole('grid', { name: 'Result' })).toBeVisible()
}

test('a result is charted, changed, saved, found again after a reload and saved as a picture', async ({
  page,
  person,
  request,
}) => {
  test.slow()
  const { explorer } = await giveWorkspaceWithTables(request, person)
  await signIn(page, person, `${explorer}/worksheets`)
  await runInWorksheet(
    page,
    "select date '2026-01-01' + n as day, case when n % 2 = 0 then 'north' else 'south' end as region, n * 10 as amount from generate_series(0, 19) n",
  )
  const chart = results(page).getByRole('slider')

  await test.step('the first guess is a line by day', async () => {
    await results(page).getByRole('button', { name: 'Chart', exact: true }).click()
    await expect(chart).toHaveAccessibleName(/^Line chart: .*amount by day\./)
    await expect(results(page).getByText('All 20 rows of the result.')).toBeVisible()
    const { violations } = await new AxeBuilder({ page }).include('section[aria-label="Results"]').analyze()
    expect(violations).toEqual([])
  })

  await test.step('points are walked through by keyboard', async () => {
    await chart.focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect(chart).toHaveAttribute('aria-valuetext', /2026-01-02: 10\. Point 2 of 20\./)
  })

  await test.step('it becomes bars by region with a title', async () => {
    const settings = page.getByRole('complementary', { name: 'Chart settings' })
    await settings.getByLabel('Chart type').selectOption('Bar')
    await settings.getByLabel('X axis').selectOption('region')
    await settings.getByLabel('Aggregate of value 1').selectOption('Sum')
    await settings.getByLabel('Title').fill('Amount by region')
    await expect(settings.getByRole('status')).toContainText('Chart saved')
    await expect(chart).toHaveAccessibleName(/lowest 900 at north, highest 1,000 at south/)
  })

  await test.step('the table behind it has the same numbers', async () => {
    await results(page).getByRole('button', { name: 'Table' }).click()
    await expect(results(page).getByRole('row', { name: 'south 1,000' })).toBeVisible()
    await results(page).getByRole('button', { name: 'Table' }).click()
  })

  await test.step('it is saved as pictures', async () => {
    await results(page).getByRole('button', { name: 'Picture' }).click()
    const [svg] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'SVG' }).click(),
    ])
    expect(svg.suggestedFilename()).toBe('Amount by region.svg')
    expect(await readFile(await svg.path(), 'utf8')).toContain('Amount by region')
    await results(page).getByRole('button', { name: 'Picture' }).click()
    const [png] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'PNG' }).click(),
    ])
    expect((await readFile(await png.path())).subarray(1, 4).toString()).toBe('PNG')
  })

  await test.step('result and chart are there again after a reload', async () => {
    await page.reload()
    await expect(chart).toHaveAccessibleName(/^Bar chart "Amount by region"/)
  })
})
