import type { APIRequestContext, Page } from '@playwright/test'
import { type Person, signIn } from '../../harness/people.ts'
import { giveProject, giveSpark } from '../../harness/sparks.ts'
import { expect, test } from '../../harness/test.ts'
import { getEditor, writeSql } from '../../harness/worksheet.ts'
import { changeTables } from '../../harness/workspace-data.ts'
import { createHands, tabInto, tabTo } from '../keyboard.ts'

const NAME = 'Revenue by status'

const getCell = (page: Page) => page.frameLocator(`iframe[title="${NAME}"]`).getByRole('cell', { name: 'shipped' })
const toSql = (column: string) => `select status, sum(${column}) as revenue from shop.orders group by 1 order by 1`

const PLACES = [
  { place: 'on a dark phone', isPhone: true },
  { place: 'with keys alone at a light desk', isPhone: false },
] as const

for (const { place, isPhone } of PLACES)
  test.describe(place, () => {
    if (isPhone) test.use({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' })

    test('a spark goes stale when a column is renamed, and is fixed in the editor', async ({
      page,
      person,
      request,
    }) => {
      test.slow()
      await walk({ page, person, request }, isPhone)
    })
  })

interface Walk {
  page: Page
  person: Person
  request: APIRequestContext
}

async function walk({ page, person, request }: Walk, isPhone: boolean): Promise<void> {
  const hands = createHands(page, !isPhone)
  const givenProject = await giveProject(request, person)
  const code = await giveSpark(request, givenProject, {
    name: NAME,
    content: {
      sources: [
        { key: 'orders', name: 'Orders', integration_trellis_code: givenProject.database, sql: toSql('amount') },
      ],
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
  await signIn(page, person, `${givenProject.sparks}/${code}`)
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
    await changeTables(givenProject, 'alter table shop.orders rename column amount to total')
    await hands.press(page.getByRole('button', { name: 'Refresh', exact: true }))
    await expect(page.getByText('Stale', { exact: true })).toBeVisible()
    await expect(banner).toBeVisible()
    await page.reload()
    await expect(banner).toBeVisible()
    await expect(getCell(page)).toBeVisible()
  })

  await test.step('its query is changed, and the spark is fresh again', async () => {
    await hands.press(page.getByRole('link', { name: 'Edit', exact: true }))
    const sources = page.getByRole('tab', { name: 'Sources (1)' })
    if (isPhone) await sources.click()
    else {
      await tabTo(page, page.getByRole('tab', { selected: true }).first())
      while (!(await sources.evaluate((tab) => tab === document.activeElement))) await page.keyboard.press('ArrowRight')
      await page.keyboard.press('Enter')
    }
    await hands.press(page.getByRole('tabpanel').locator('summary'))
    await expect(getEditor(page)).toBeVisible()
    if (isPhone) await writeSql(page, toSql('total'))
    else {
      await tabInto(page, getEditor(page))
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.insertText(toSql('total'))
    }
    await hands.press(page.getByRole('button', { name: 'Save version' }))
    await expect(page.getByRole('heading', { name: NAME, exact: true })).toBeVisible()
    await expect(getCell(page)).toBeVisible()
    await expect(banner).toHaveCount(0)
    await expect(page.getByText('Stale', { exact: true })).toHaveCount(0)
  })
}
