import type { Page } from '@playwright/test'
import { giveAccount, signIn } from '../../harness/people.ts'
import { expect, test } from '../../harness/test.ts'
import { giveEmptyWorkspace } from '../../harness/workspace-data.ts'

const ORDERS = { name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from('id,amount\r\n1,10\r\n2,20\r\n') }

const getWays = (page: Page) => page.getByRole('list', { name: 'Add data' })
const getSteps = (page: Page) => page.getByRole('list', { name: 'Get started' })

test('an empty workspace offers three ways to begin, and each leads to rows', async ({ page, person, request }) => {
  test.slow()
  const account = await giveAccount(person, [])
  for (const name of ['Files', 'Sources'])
    await giveEmptyWorkspace(request, person, { account, name, workspace_address: name.toLowerCase() })

  await test.step('a file becomes a table', async () => {
    await signIn(page, person, `/${account}/files/dashboard`)
    await expect(getWays(page).getByRole('link')).toHaveCount(3)
    await getWays(page)
      .getByRole('link', { name: /^Upload a file/ })
      .click()
    await page.getByLabel('File', { exact: true }).setInputFiles(ORDERS)
    await page.getByRole('button', { name: 'Check all rows' }).click()
    await page.getByRole('button', { name: 'Make the table with 2 rows' }).click()
    await page.getByRole('link', { name: 'Look at the rows' }).click()
    await expect(page.getByRole('gridcell', { name: '20', exact: true })).toBeVisible()
  })

  await test.step('the list is shorter then', async () => {
    await page.goto(`/${account}/files/dashboard`)
    await expect(getSteps(page).getByRole('listitem').first()).toHaveAttribute('data-done', 'true')
    await expect(getWays(page)).toHaveCount(0)
  })

  await test.step('the sandbox has tables to query', async () => {
    await page.goto(`/${account}/sources/dashboard`)
    await getWays(page)
      .getByRole('link', { name: /^Try the sandbox/ })
      .click()
    await page.getByRole('button', { name: 'Create the sandbox' }).click()
    const tables = page.getByRole('list', { name: 'Tables of the sandbox' })
    await tables.getByRole('link', { name: 'orders', exact: true }).click()
    await expect(page.getByRole('gridcell').first()).toBeVisible()
  })

  await test.step('a source is connected', async () => {
    await page.goto(`/${account}/sources/dashboard`)
    await getWays(page)
      .getByRole('link', { name: /^Connect a source/ })
      .click()
    await page
      .getByRole('list', { name: 'Platforms' })
      .getByRole('link', { name: /Sample data/ })
      .click()
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await expect(page.getByText('The connection works')).toBeVisible()
    await page.goto(`/${account}/sources/dashboard`)
    await expect(getSteps(page).getByRole('listitem').first()).toHaveAttribute('data-done', 'true')
  })
})
