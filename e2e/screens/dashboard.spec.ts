import { openControlDb } from '@trellis/control-db/database'
import { getEnvironment } from '../harness/environment.ts'
import { signIn } from '../harness/people.ts'
import { giveProject, giveSpark } from '../harness/sparks.ts'
import { expect, test } from '../harness/test.ts'
import { photograph } from './photograph.ts'

const SPARKS = [
  { name: 'Orders by status', sql: 'select status, count(*) as orders from shop.orders group by 1 order by 1' },
  {
    name: 'A name that is much longer than the head of a tile can show on a phone',
    sql: 'select status, sum(amount) as orders from shop.orders group by 1 order by 1',
  },
]

test.use({ colorScheme: 'dark' })

async function giveUsage(account: string): Promise<void> {
  const control = openControlDb({ url: getEnvironment().databaseUrl, max: 1 })
  try {
    await control.pool.query(
      `insert into usage_hours (account_id, workspace_id, hour, storage_bytes, rows_moved, run_seconds, queries, credits_spent)
       select w.account_id, w.id, date_trunc('hour', now()) - make_interval(hours => n),
              9000000 + (720 - n) * 40000, (n * 37) % 900, (n * 13) % 300, n % 20, n % 3
         from workspaces w join accounts a on a.id = w.account_id, generate_series(1, 720) n where a.trellis_code = $1`,
      [account],
    )
  } finally {
    await control.close()
  }
}

test('the dashboard new and with tiles, the bell, utilization, the sandbox and its console', async ({
  page,
  person,
  request,
}) => {
  test.slow()
  const givenProject = await giveProject(request, person)
  const home = `/${givenProject.account}/shop`
  await signIn(page, person, `${home}/dashboard`)
  await expect(page.getByText('Storage').first()).toBeVisible()
  await photograph(page, 'dashboard-new', { isWhole: true })
  for (const { name, sql } of SPARKS) {
    const chart = { kind: 'bar', x: 'status', y: [{ column: 'orders', aggregate: 'sum' }] }
    const code = await giveSpark(request, givenProject, {
      name,
      content: {
        sources: [{ key: 'orders', name: 'Orders', integration_trellis_code: givenProject.database, sql }],
        parameters: [],
        body: { kind: 'blocks', blocks: [{ kind: 'chart', source: 'orders', title: 'Orders', chart }] },
      },
    })
    const data = { is_on_dashboard: true }
    const put = await request.put(`/api${home}/sparks/${code}`, { headers: givenProject.headers, data })
    expect(put.ok(), await put.text()).toBe(true)
  }
  await page.goto(`${home}/dashboard`)
  for (const { name } of SPARKS) {
    await page.getByRole('article', { name }).scrollIntoViewIfNeeded()
    await expect(page.frameLocator(`iframe[title="${name}"]`).getByRole('slider')).toBeVisible()
  }
  await photograph(page, 'dashboard-tiles', { isWhole: true })
  await page.getByRole('button', { name: 'Notifications', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Notifications' })).toBeVisible()
  await photograph(page, 'notifications')
  await giveUsage(givenProject.account)
  await page.goto(`${home}/utilization`)
  await expect(page.getByRole('img', { name: /^Storage\. / })).toBeVisible()
  await photograph(page, 'utilization', { isWhole: true })
  await page.goto(`${home}/sandbox`)
  await expect(page.getByRole('button', { name: 'Create the sandbox' })).toBeVisible()
  await photograph(page, 'sandbox-none')
  await page.getByRole('button', { name: 'Create the sandbox' }).click()
  await expect(page.getByRole('list', { name: 'Tables of the sandbox' })).toBeVisible()
  await photograph(page, 'sandbox')
  await page.goto(`${home}/sandbox/ai-core`)
  await expect(page.getByRole('heading', { name: 'Model console' })).toBeVisible()
  await photograph(page, 'sandbox-console')
})
