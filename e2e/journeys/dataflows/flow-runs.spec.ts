import { post, signIn } from '../../harness/people.ts'
import { expect, test } from '../../harness/test.ts'
import { giveWorkspaceWithTables } from '../../harness/workspace-data.ts'
import { findFaults } from '../../screens/axe.ts'

const toYaml = (last: string) => `trellis: dataflow
version: 1
name: Passes
blocks:
  make:
    kind: Transformation
    name: Make
    integration: workspace database
    settings:
      code: create table if not exists passes (n int)
    at: [0, 0]
  fill:
    kind: Transformation
    name: Fill
    integration: workspace database
    trigger:
      any:
        - after: make
    settings:
      code: insert into passes values (1)
    at: [300, 0]
  sum:
    kind: Transformation
    name: Sum
    integration: workspace database
    trigger:
      all:
        - after: make
        - after: fill
    settings:
      code: ${last}
    at: [600, 0]
`

test('a run of the whole flow is one thing: watched, read, retried, cancelled', async ({ page, person }) => {
  const { account } = await giveWorkspaceWithTables(page.request, person)
  const { email, password } = person
  const { access_token } = (await post(page.request, '/auth/login', { email, password })) as { access_token: string }
  const headers = { authorization: `Bearer ${access_token}` }
  const send = async (path: string, data: object) => {
    const answer = await page.request.post(`/api/${account}/shop${path}`, { headers, data })
    expect(answer.ok(), await answer.text()).toBe(true)
    return ((await answer.json()) as { data: Record<string, string> }).data
  }
  const publishAll = async () => {
    await page.getByRole('button', { name: /^Publish/ }).click()
    const dialog = page.getByRole('dialog', { name: /^Publish/ })
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await expect(page.getByRole('button', { name: 'Nothing to publish' })).toBeDisabled()
  }
  const { trellis_code: flow } = await send('/dataflows/import', { yaml: toYaml('select sum(m) from passes') })
  const editor = `/${account}/shop/dataflow/${flow}/editor`
  const blocks = page.getByRole('table', { name: 'Block runs' })
  const summary = page.getByLabel('Summary')

  await test.step('it is run from the editor and opens at an address of its own', async () => {
    await signIn(page, person, editor)
    await publishAll()
    await page.getByRole('button', { name: 'Run all' }).click()
    await page.getByRole('button', { name: 'Watch' }).click()
    await expect(page).toHaveURL(new RegExp(`${editor}/logs/[a-z0-9]+$`))
    await expect(page.getByRole('heading', { name: 'Passes' })).toBeVisible()
  })

  await test.step('it failed as a whole, and says which block and why', async () => {
    await expect(summary).toContainText('2 of 3 blocks')
    await expect(blocks.getByRole('row', { name: /^Sum/ })).toContainText('Failed')
    await expect(blocks.getByRole('row', { name: /^Make/ })).toContainText('Succeeded')
    const lines = page.getByRole('group', { name: 'Lines of the log' })
    await expect(lines).toContainText('Make')
    await expect(lines).toContainText('column "m" does not exist')
  })

  await test.step('corrected, what failed is retried within the same run', async () => {
    const address = page.url()
    await page.goto(`/${account}/shop/dashboard`)
    await page.getByRole('list', { name: 'Failed' }).getByRole('link', { name: 'Passes › Sum' }).click()
    await expect(page).toHaveURL(address)
    await send('/dataflows/import', { yaml: toYaml('select sum(n) from passes'), trellis_code: flow })
    await page.goto(editor)
    await publishAll()
    await page.goto(address)
    const foot = page.getByText(/^\d+ lines · complete$/)
    const before = (await foot.textContent()) ?? ''
    await page.getByRole('button', { name: 'Retry failed blocks' }).click()
    await expect(summary).toContainText(/^Blocks3 blocks/)
    await expect(page.locator('header').getByText('Succeeded')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Retry failed blocks' })).toBeHidden()
    // The retry's lines arrive without a reload.
    await expect(foot).not.toHaveText(before)
    expect(await findFaults(page)).toEqual([])
  })

  await test.step('runs are listed as runs of the flow, with their blocks', async () => {
    await page.getByRole('link', { name: 'Runs', exact: true }).click()
    const list = page.getByRole('table', { name: 'Flow runs' })
    await expect(list.getByRole('row')).toHaveCount(2)
    await expect(list.getByRole('row').nth(1)).toContainText('3 blocks')
    await expect(list.getByRole('listitem', { name: 'Sum: Succeeded' })).toBeVisible()
    expect(await findFaults(page)).toEqual([])
    const size = page.viewportSize()
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(list.getByText(/^(just now|.* ago), [\d.]/).first()).toBeVisible()
    if (size) await page.setViewportSize(size)
    await page.getByLabel('Status').selectOption('Failed')
    await expect(page.getByText('No run fits the filter')).toBeVisible()
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await list.getByRole('row').nth(1).click()
    await expect(blocks).toBeVisible()
  })

  await test.step('over time it is one bar that unfolds to its blocks, in the order of the flow', async () => {
    await page.goto(`${editor}/logs?view=time`)
    const picture = page.getByRole('group', { name: 'Runs over time' })
    const bar = picture.getByRole('group', { name: 'Whole flow' }).getByRole('button', { name: /^Succeeded/ })
    await bar.click()
    await expect(bar).toHaveAttribute('aria-expanded', 'true')
    for (const [at, name] of ['Whole flow', 'Make', 'Fill', 'Sum'].entries()) {
      await expect(picture.getByRole('group').nth(at)).toHaveAccessibleName(name)
    }
    expect(await findFaults(page)).toEqual([])
    await page.getByRole('link', { name: 'Open the run' }).click()
    await expect(blocks).toBeVisible()
  })

  await test.step('dashboard and list of dataflows tell of the run of the flow', async () => {
    await page.goto(`/${account}/shop/dashboard`)
    const recent = page.getByRole('list', { name: 'Recent runs' }).getByRole('listitem')
    await expect(recent).toHaveCount(1)
    await expect(recent).toContainText(/ ran the flow\..*Succeeded/)
    await expect(page.getByText('Nothing has failed')).toBeVisible()
    await page.goto(`/${account}/shop/dataflows`)
    const row = page.getByRole('table', { name: 'Dataflows' }).getByRole('row', { name: /^Passes/ })
    await expect(row).toContainText('Succeeded')
    await row.getByRole('link', { name: /ago|now|second/ }).click()
    await expect(blocks).toBeVisible()
  })

  await test.step('a block run leads to the whole run', async () => {
    await blocks.getByRole('link', { name: 'Sum' }).click()
    await page.getByRole('link', { name: 'Whole run' }).click()
    await expect(blocks).toBeVisible()
  })

  await test.step('cancelled, every block ends and none behind it begins', async () => {
    await send('/dataflows/import', {
      yaml: toYaml('select 1').replace('values (1)', 'select count(*) from generate_series(1, 2000000000)'),
      trellis_code: flow,
    })
    await page.goto(editor)
    await publishAll()
    await page.getByRole('button', { name: 'Run all' }).click()
    await page.getByRole('button', { name: 'Watch' }).click()
    await expect(blocks.getByRole('row', { name: /^Fill/ })).toContainText('Running')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Stop the run' }).click()
    await expect(page.locator('header').getByText('Cancelled')).toBeVisible()
    await expect(blocks.getByRole('row', { name: /^Sum/ })).toHaveCount(0)
  })
})
