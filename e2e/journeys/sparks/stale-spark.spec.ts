import type { Page } from '@playwright/test'
import { signIn } from '../../harness/people.ts'
import { giveProject, giveSpark } from '../../harness/sparks.ts'
import { expect, test } from '../../harness/test.ts'
import { getEditor, writeSql } from '../../harness/worksheet.ts'
import { changeTables } from '../../harness/workspace-data.ts'

const NAME = 'Revenue by status'

const getCell = (page: Page) => page.frameLocator(`iframe[title="${NAME}"]`).getByRole('cell', { name: 'shipped' })
const toSql = (column: string) => `select status, sum(${column}) as revenue from shop.orders group by 1 order by 1`

// Where a banner, a stale mark and a query have the least room.
test.use({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' })

test('a spark goes stale when a column is renamed, and is fixed in the editor', async ({ page, person, request }) => {
  test.slow()
  const given = await giveProject(request, person)
  const code = await giveSpark(request, given, {
    name: NAME,
    content: {
      sources: [{ key: 'orders', name: 'Orders', integration_trellis_code: given.database, sql: toSql('amount') }],
      parameters: [],
      body: {
        kind: 'blocks',
        blocks: [
          {
            kind: 'chart',
            source: 'orders',
            title: 'Revenue',
            chart: { kind: 'bar', x: 'status', y: [{ column: 'revenue', aggregate: 'sum' }] },
          },
          { kind: 'table', source: 'orders', title: 'Rows' },
        ],
      },
    },
  })
  await signIn(page, person, `${given.sparks}/${code}`)
  await expect(getCell(page)).toBeVisible()
  const more = page.getByRole('button', { name: 'More', exact: true })
  const dialog = page.getByRole('dialog', { name: 'Mail this spark to me' })

  await test.step('a dialog that is loaded when it opens takes the focus and gives it back', async () => {
    await more.press('Enter')
    await page.getByRole('menuitem', { name: 'Mail to me', exact: true }).press('Enter')
    await expect(dialog.locator(':focus')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(more).toBeFocused()
  })

  const banner = page.getByText('Some rows can’t be read any more')
  await test.step('a renamed column leaves the last rows, marked as stale', async () => {
    await changeTables(given, 'alter table shop.orders rename column amount to total')
    await page.getByRole('button', { name: 'Refresh', exact: true }).click()
    await expect(page.getByText('Stale', { exact: true })).toBeVisible()
    await page.reload()
    await expect(banner).toBeVisible()
    await expect(getCell(page)).toBeVisible()
  })

  await test.step('its query is changed, and the spark is fresh again', async () => {
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.getByRole('tab', { name: 'Sources (1)' }).click()
    await page.getByRole('tabpanel').locator('summary').click()
    await expect(getEditor(page)).toBeVisible()
    await writeSql(page, toSql('total'))
    await page.getByRole('button', { name: 'Save version' }).click()
    await expect(page.getByRole('heading', { name: NAME, exact: true })).toBeVisible()
    await expect(getCell(page)).toBeVisible()
    await expect(banner).toHaveCount(0)
    await expect(page.getByText('Stale', { exact: true })).toHaveCount(0)
  })
})
