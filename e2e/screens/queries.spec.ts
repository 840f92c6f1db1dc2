import { post, signIn } from '../harness/people.ts'
import { expect, test } from '../harness/test.ts'
import { giveWorkspaceWithTables } from '../harness/workspace-data.ts'
import { photograph } from './photograph.ts'

test.use({ colorScheme: 'dark' })

test('running queries, history and limits', async ({ page, person, request }) => {
  test.slow()
  const { account, explorer, database } = await giveWorkspaceWithTables(request, person)
  const { email, password } = person
  const { access_token } = (await post(request, '/auth/login', { email, password })) as { access_token: string }
  const start = async (sql: string) => {
    const answer = await request.post(`/api/${account}/shop/tdb-explorer/sql-executor/sql_query`, {
      headers: { authorization: `Bearer ${access_token}` },
      data: { integration_trellis_code: database, sql, keep_running: true },
    })
    expect(answer.ok()).toBe(true)
  }
  await start('select status, count(*) as orders from shop.orders group by 1 order by 1')
  await start('select oops from shop.orders')
  await start('begin;\nlock table shop.orders;\nselect count(*) from generate_series(1, 2000000000)')
  await signIn(page, person, explorer)

  await test.step('a running query is seen and stopped', async () => {
    await page.getByRole('link', { name: 'Queries' }).click()
    const table = page.getByRole('table', { name: 'Running queries' })
    await expect(table.getByText('lock table shop.orders')).toBeVisible()
    await photograph(page, 'queries-running')
    await table.getByText('lock table shop.orders').click()
    const panel = page.getByRole('dialog', { name: 'Running query' })
    await expect(panel).toContainText('Process')
    await panel.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('dialog', { name: 'Stop this query?' }).getByRole('button', { name: 'Stop' }).click()
    await expect(page.getByText('No query is running')).toBeVisible()
  })

  await test.step('the history is searched, and a result that was kept is shown', async () => {
    await page.getByRole('link', { name: 'History' }).click()
    const table = page.getByRole('table', { name: 'Query history' })
    await expect(table.getByText('Cancelled')).toBeVisible()
    await photograph(page, 'queries-history')
    await page.getByLabel('Status').selectOption('Failed')
    await expect(table.getByText('oops')).toBeVisible()
    await expect(table.getByText('count(*) as orders')).toBeHidden()
    await page.getByLabel('Status').selectOption('All statuses')
    await page.getByLabel('Search queries').fill('group by')
    await table.getByText('count(*) as orders').click()
    const panel = page.getByRole('dialog', { name: 'Query' })
    await expect(panel.getByRole('cell', { name: 'shipped' })).toBeVisible()
    await photograph(page, 'queries-history-line')
    await panel.getByRole('button', { name: 'Close' }).click()
  })

  await test.step('the limits are lowered', async () => {
    await page.getByRole('link', { name: 'Limits' }).click()
    await photograph(page, 'queries-limits')
    await page.getByLabel('Maximum row limit').fill('0')
    await page.getByRole('button', { name: 'Save limits' }).click()
    await expect(page.getByText('Enter a whole number from 1 to 10,000,000.')).toBeVisible()
    await page.getByLabel('Maximum row limit').fill('5000')
    await page.getByRole('button', { name: 'Save limits' }).click()
    await expect(page.getByText('The limits were saved.')).toBeVisible()
    await page.reload()
    await expect(page.getByLabel('Maximum row limit')).toHaveValue('5000')
  })
})
