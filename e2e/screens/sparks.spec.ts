import { signIn } from '../harness/people.ts'
import { giveProject, giveSpark } from '../harness/sparks.ts'
import { expect, test } from '../harness/test.ts'
import { photograph } from './photograph.ts'

const SOURCES = {
  kpi: `select sum(amount) as revenue, sum(amount) * 0.9 as before from shop.orders where (:status::text is null or status = :status)`,
  days: `select placed_at::date as day, status, sum(amount) as revenue from shop.orders where (:status::text is null or status = :status) group by 1, 2`,
  statuses: `select status, count(*) as orders from shop.orders group by 1 order by 2 desc, 1`,
  latest: `select id, status, amount, placed_at from shop.orders order by id limit 300`,
  cohorts: `select status, id % 5 as week, count(*) * (6 - id % 5) as people from shop.orders group by 1, 2, id % 5 order by 1, 2`,
  places: `select (id * 37) % 110 - 45 as lat, (id * 53) % 330 - 165 as lon, status, amount from shop.orders where id <= 40`,
  tree: `select 'Orders' as metric, null::text as part_of, count(*) as n from shop.orders union all select status, 'Orders', count(*) from shop.orders group by 1`,
  checks: `select 'amount is filled' as name, count(*) filter (where amount is null) as failed, count(*) as total from shop.orders union all select 'status is filled', count(*) filter (where status is null), count(*) from shop.orders`,
}
const number = { kind: 'number', source: 'kpi', width: 'quarter', format: { style: 'compact', prefix: '€ ' } }
const BLOCKS = [
  { kind: 'text', text: 'Orders of the shop, **by day**. Choose a status to narrow everything below.' },
  { kind: 'filters' },
  { ...number, title: 'Revenue', column: 'revenue', compare_column: 'before' },
  { ...number, title: 'Before', column: 'before' },
  { kind: 'funnel', source: 'statuses', title: 'Steps', step_column: 'status', value_column: 'orders', width: 'half' },
  {
    kind: 'chart',
    source: 'days',
    title: 'Revenue by day',
    chart: {
      kind: 'area',
      x: 'day',
      y: [{ column: 'revenue', aggregate: 'sum' }],
      split_by: 'status',
      is_stacked: true,
    },
  },
  { kind: 'table', source: 'latest', title: 'Latest orders', width: 'half' },
  {
    kind: 'map',
    source: 'places',
    title: 'Where',
    latitude_column: 'lat',
    longitude_column: 'lon',
    label_column: 'status',
    value_column: 'amount',
    width: 'half',
  },
  { kind: 'heading', text: 'How they come back' },
  {
    kind: 'cohort',
    source: 'cohorts',
    title: 'Cohorts',
    group_column: 'status',
    period_column: 'week',
    value_column: 'people',
    width: 'half',
  },
  {
    kind: 'metric_tree',
    source: 'tree',
    title: 'Metric tree',
    name_column: 'metric',
    parent_column: 'part_of',
    value_column: 'n',
    width: 'quarter',
  },
  {
    kind: 'checks',
    source: 'checks',
    title: 'Checks',
    name_column: 'name',
    failed_column: 'failed',
    total_column: 'total',
    width: 'half',
  },
]

test.use({ colorScheme: 'dark' })

test('sparks: gallery, ways to begin, a page of all blocks, versions, comments and editor', async ({
  page,
  person,
  request,
}) => {
  test.slow()
  const givenProject = await giveProject(request, person)
  await signIn(page, person, givenProject.sparks)
  await expect(page.getByText('No sparks yet')).toBeVisible()
  await photograph(page, 'sparks-empty')
  const code = await giveSpark(request, givenProject, {
    name: 'Shop this month',
    content: {
      sources: Object.entries(SOURCES).map(([key, sql]) => ({
        key,
        name: key,
        integration_trellis_code: givenProject.database,
        sql,
      })),
      parameters: [{ key: 'status', label: 'Status', type: 'text', options_from: 'statuses' }],
      body: { kind: 'blocks', blocks: BLOCKS },
    },
  })
  await page.goto(givenProject.sparks)
  await expect(page.getByRole('link', { name: /Shop this month/ })).toBeVisible()
  await photograph(page, 'sparks-gallery')
  await page.goto(`${givenProject.sparks}/new?template=trend`)
  await page.getByLabel('Table', { exact: true }).selectOption({ label: 'shop.orders' })
  await expect(page.getByText('optional').first()).toBeVisible()
  await photograph(page, 'sparks-new')
  await page.goto(`${givenProject.sparks}/${code}`)
  const frame = page.frameLocator('iframe[title="Shop this month"]')
  await expect(frame.getByText('1 of 2 checks pass.')).toBeVisible()
  await expect(frame.getByRole('slider')).toBeVisible()
  await photograph(page, 'sparks-page', { isWhole: true })
  await page.goto(`${givenProject.sparks}/${code}?versions=1`)
  await expect(page.getByRole('listitem', { name: 'Version 1' })).toBeVisible()
  await photograph(page, 'sparks-versions')
  const said = await request.post(`/api/${givenProject.account}/shop/sparks/${code}/comments`, {
    headers: givenProject.headers,
    data: { text: 'Why did the revenue fall on Monday?\nOn Sunday it was twice as much.' },
  })
  expect(said.ok(), await said.text()).toBe(true)
  await page.goto(`${givenProject.sparks}/${code}?comments=1`)
  await expect(page.getByRole('listitem', { name: 'Comment by Ada Lovelace' })).toBeVisible()
  await photograph(page, 'sparks-comments')
  await page.getByLabel('New comment').fill('@')
  await expect(page.getByRole('option', { name: person.email })).toBeVisible()
  await photograph(page, 'sparks-comments-people')
  await page.goto(`${givenProject.sparks}/${code}/edit`)
  const preview = page.frameLocator('iframe[title="Preview of Shop this month"]')
  await expect(preview.getByText('1 of 2 checks pass.')).toBeVisible()
  await photograph(page, 'sparks-editor')
})
