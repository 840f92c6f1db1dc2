import type { Page } from '@playwright/test'
import { startOutsideServer } from '../../harness/outside.ts'
import { signIn } from '../../harness/people.ts'
import { answered, expect, test } from '../../harness/test.ts'
import { giveEmptyWorkspace, giveWorkspaceWithTables } from '../../harness/workspace-data.ts'

/** A preview of a missing table is refused. */
test.use({ expectedErrors: answered(404, 409, 422), permissions: ['clipboard-read', 'clipboard-write'] })

const CLEAN = `select order_id, status, total, created_at::date as day
from orders
where status <> 'cancelled' and total > 0`

const DAILY = `with revenue as (
  select day, count(*) as orders, sum(total) as revenue from clean_orders group by day
), spend as (
  select date as day, sum(cost) as ad_cost from ad_spend group by date
)
select day, coalesce(orders, 0) as orders, coalesce(revenue, 0) as revenue, coalesce(ad_cost, 0) as ad_cost,
       round(revenue / nullif(ad_cost, 0), 2) as roas
from revenue full join spend using (day)`

const block = (page: Page, name: string) =>
  page.getByRole('group', { name: new RegExp(`^(Source|Transformation|Destination) ${name}(,|$)`) })
const arrow = (page: Page, from: string, to: string) => page.getByRole('img', { name: `Arrow from ${from} to ${to}` })
const saved = (page: Page) => expect(page.getByText('Saved', { exact: true })).toBeVisible()
const pane = (page: Page, name: 'Input' | 'Output') => page.getByRole('region', { name, exact: true }).last()

async function addBlock(page: Page, kind: 'Source' | 'Transformation' | 'Destination', choice: RegExp): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Add a block' })
  await dialog.getByRole('tab', { name: kind }).click()
  await dialog.getByRole('button', { name: choice }).click()
  await expect(dialog).toBeHidden()
}

async function rename(page: Page, from: string, to: string): Promise<void> {
  await block(page, from).focus()
  await page.keyboard.press('F2')
  await page.getByLabel('Name', { exact: true }).fill(to)
  await page.getByRole('button', { name: 'Rename' }).click()
  await expect(block(page, to)).toBeVisible()
}

async function setUp(page: Page, name: string): Promise<void> {
  await block(page, name).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Name of the block')).toHaveValue(name)
}

async function writeSql(page: Page, sql: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: 'SQL' })
  await editor.focus()
  await page.keyboard.press('Control+a')
  await page.evaluate((text) => navigator.clipboard.writeText(text), sql)
  await page.keyboard.press('Control+v')
}

async function publish(page: Page, name: string, message: string): Promise<void> {
  await saved(page)
  await page.getByRole('button', { name: /^Publish/ }).click()
  const dialog = page.getByRole('dialog', { name: `Publish ${name}` })
  await dialog.getByLabel('Message').fill(message)
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByRole('button', { name: 'Nothing to publish' })).toBeDisabled()
}

async function toRuns(page: Page): Promise<void> {
  const canvas = page.getByRole('link', { name: 'Canvas' })
  if (await canvas.isVisible()) await canvas.click()
  await page.getByRole('link', { name: 'Runs' }).click()
  await page.getByRole('button', { name: 'Canvas', exact: true }).click()
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
const toEditor = (page: Page) => page.getByRole('link', { name: 'Editor' }).click()
const getRunButton = (page: Page, name: string) =>
  page.getByRole('button', { name: new RegExp(`^(Source|Transformation|Destination) ${name} `) })
const getRunPanel = (page: Page, name: string) => page.getByRole('dialog', { name: `Run of ${name}` })

async function runBlock(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /^Run/ })
  await dialog.getByLabel('Block', { exact: true }).selectOption({ label: name })
  await dialog.getByRole('button', { name: 'Run now' }).click()
  await expect(dialog).toBeHidden()
}

async function connectSampleData(page: Page, home: string): Promise<void> {
  await page.goto(`${home}/integrations`)
  await page.getByRole('link', { name: 'Choose what to connect' }).click()
  await page.getByLabel('Search the catalogue').fill('sample')
  await page
    .getByRole('list', { name: 'Platforms' })
    .getByRole('link', { name: /Sample data/ })
    .click()
  await page.getByLabel('Name', { exact: true }).fill('Sample shop')
  await page.getByLabel('Orders a year').fill('5000')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page.getByText('The connection works')).toBeVisible()
}

test('a dataflow from nothing: built, run, broken, mended, filled up, undone, taken elsewhere', async ({
  page,
  person,
}) => {
  test.slow()
  const { account } = await giveWorkspaceWithTables(page.request, person)
  const home = `/${account}/shop`
  await signIn(page, person, `${home}/dataflows`)

  await test.step('sample data is connected', () => connectSampleData(page, home))

  await test.step('the dataflow is drawn', async () => {
    await page.getByRole('link', { name: 'Dataflows' }).first().click()
    await page.getByRole('button', { name: 'Create dataflow' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Shop performance')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('button', { name: 'Add an empty block' }).click()
    await addBlock(page, 'Source', /^Sample shop/)
    await rename(page, 'Sample shop', 'Shop')
    for (const [after, name] of [
      ['Shop', 'Clean orders'],
      ['Clean orders', 'Daily revenue'],
    ] as const) {
      await block(page, after).focus()
      await page.keyboard.press('+')
      if (name === 'Daily revenue') await page.getByLabel(`Run it after ${after}`).uncheck()
      await addBlock(page, 'Transformation', /^SQL/)
      await rename(page, 'Transformation', name)
    }
    await block(page, 'Daily revenue').focus()
    await page.keyboard.press('+')
    await addBlock(page, 'Destination', /^Sample shop/)
    await rename(page, 'Sample shop', 'Send the report')
    await expect(arrow(page, 'Shop', 'Clean orders')).toBeAttached()
    await expect(arrow(page, 'Daily revenue', 'Send the report')).toBeAttached()
  })

  await test.step('the source reads two tables by key, once a day', async () => {
    await setUp(page, 'Shop')
    for (const [title, key] of [
      ['Orders', 'order_id'],
      ['Ad spend', 'date + campaign_id'],
    ] as const) {
      if (title !== 'Orders') await page.getByRole('button', { name: 'Add subtask' }).click()
      await page.getByLabel('What to read').selectOption({ label: title })
      await expect(page.getByLabel('Name of the subtask')).toHaveValue(title)
      await page.getByRole('radio', { name: /^Incremental/ }).check()
      await page.getByRole('radio', { name: /^Upsert/ }).check()
      await page.getByRole('button', { name: 'Setup Table' }).click()
      const dialog = page.getByRole('dialog', { name: 'Setup Table' })
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText(`Rows are identified by ${key}`, { exact: true })).toBeVisible()
      await expect(
        pane(page, 'Input').getByRole('columnheader', { name: new RegExp(`^${key.split(' ')[0]}`) }),
      ).toBeVisible()
    }
    await page.getByLabel('Scope').selectOption('Any action (OR)')
    await page.getByRole('button', { name: 'Add action' }).click()
    await page.getByLabel('Schedule type').selectOption('Cron Schedule')
    await page.getByLabel('Cron expression').fill(`0 ${(new Date().getUTCHours() + 12) % 24} * * ? *`)
    await page.getByLabel('Time standard').selectOption('UTC')
    await expect(page.getByRole('list', { name: 'Next due times' }).getByRole('listitem')).toHaveCount(10)
    await saved(page)
  })

  await test.step('orders are cleaned by SQL over a table that is not there yet', async () => {
    await page.getByRole('link', { name: 'Canvas' }).click()
    await setUp(page, 'Clean orders')
    await writeSql(page, CLEAN)
    await page.getByRole('checkbox', { name: /Write the rows of the SELECT/ }).check()
    await page.getByRole('radio', { name: /^Replace/ }).check()
    await saved(page)
  })

  await test.step('revenue and ROAS by day, set off by the cleaned orders', async () => {
    await page.getByRole('link', { name: 'Canvas' }).click()
    await setUp(page, 'Daily revenue')
    await writeSql(page, DAILY)
    await page.getByRole('checkbox', { name: /Write the rows of the SELECT/ }).check()
    await page.getByRole('radio', { name: /^Replace/ }).check()
    await page.getByLabel('Scope').selectOption('All actions (ALL)')
    await page.getByRole('button', { name: 'Add action' }).click()
    await page.getByLabel('Action', { exact: true }).selectOption('Activity')
    await page.getByLabel('Activity', { exact: true }).selectOption({ label: 'Clean orders (transformation)' })
    await saved(page)
  })

  await test.step('the report is sent', async () => {
    await page.getByRole('link', { name: 'Canvas' }).click()
    await setUp(page, 'Send the report')
    await page
      .getByLabel('Table', { exact: true })
      .selectOption({ label: 'data.daily_revenue · will be written by an earlier block' })
    await page.getByLabel('Name of the report').fill('Daily report')
    await saved(page)
  })

  await test.step('everything is published at once', async () => {
    await page.getByRole('link', { name: 'Canvas' }).click()
    await expect(arrow(page, 'Clean orders', 'Daily revenue')).toBeAttached()
    await page.getByRole('button', { name: 'Publish 4' }).click()
    const dialog = page.getByRole('dialog', { name: 'Publish 4 blocks' })
    await dialog.getByLabel('Message').fill('First version')
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await expect(page.getByRole('button', { name: 'Nothing to publish' })).toBeDisabled()
  })

  await test.step('it runs and is watched: on the canvas, its rows, its log', async () => {
    await page.getByRole('button', { name: 'Run all' }).click()
    await toRuns(page)
    await expect(getRunButton(page, 'Send the report')).toContainText(/Succeeded.*\d read · \d+ written/)
    for (const name of ['Shop', 'Clean orders', 'Daily revenue'])
      await expect(getRunButton(page, name)).toContainText('Succeeded')
    await getRunButton(page, 'Shop').click()
    await expect(getRunPanel(page, 'Shop').getByText('Complete', { exact: true })).toHaveCount(2)
    await page.getByRole('link', { name: 'Log', exact: true }).click()
    await expect(page.getByRole('group', { name: 'Lines of the log' })).toContainText('rows written to data.ad_spend')
    await page.getByRole('link', { name: 'Shop performance' }).click()
  })

  await test.step('a wrong column: the run says which and where; mended, it goes on from there', async () => {
    await setUp(page, 'Clean orders')
    await expect(pane(page, 'Output').getByRole('columnheader', { name: /^order_id/ })).toBeVisible()
    await writeSql(page, CLEAN.replace('total > 0', 'totl > 0'))
    await expect(pane(page, 'Output')).toContainText('The settings have changed since these rows were read.')
    await saved(page)
    await pane(page, 'Output').getByRole('button', { name: 'Read again' }).click()
    await expect(pane(page, 'Output')).toContainText('column "totl" does not exist (line 3, column 33)')
    await publish(page, 'Clean orders', 'Only what was paid')
    await toRuns(page)
    await runBlock(page, 'Clean orders')
    await expect(getRunButton(page, 'Clean orders')).toContainText('Failed')
    await getRunButton(page, 'Clean orders').click()
    const panel = getRunPanel(page, 'Clean orders')
    await expect(panel).toContainText('The settings have to be changed')
    await expect(panel).toContainText('column "totl" does not exist (line 3, column 33)')
    await panel.getByRole('button', { name: 'Close' }).click()
    await toEditor(page)
    await setUp(page, 'Clean orders')
    await writeSql(page, CLEAN)
    await publish(page, 'Clean orders', 'The column is called total')
    await toRuns(page)
    await getRunButton(page, 'Clean orders').click()
    await panel.getByRole('button', { name: 'Retry from this block' }).click()
    await expect(panel).toContainText('Succeeded')
    await panel.getByRole('button', { name: 'Close' }).click()
    await expect(getRunButton(page, 'Clean orders')).toContainText('Succeeded')
  })

  await test.step('a dry run shows what a changed draft would do to the table, and does nothing', async () => {
    await toEditor(page)
    await setUp(page, 'Clean orders')
    await writeSql(page, CLEAN.replace('total > 0', 'total > 60'))
    await saved(page)
    await page.getByRole('button', { name: 'Publish changes' }).click()
    const dialog = page.getByRole('dialog', { name: 'Publish Clean orders' })
    await dialog.getByRole('button', { name: 'Dry run' }).click()
    const panel = getRunPanel(page, 'Clean orders')
    await expect(panel).toContainText('Dry run')
    await expect(panel).toContainText(/\d rows would be gone\./)
    await expect(panel.getByRole('region', { name: 'Rows of clean_orders' })).toBeVisible()
    await page.goBack()
    await expect(page.getByLabel('Name of the block')).toHaveValue('Clean orders')
    await writeSql(page, CLEAN)
    await expect(page.getByRole('button', { name: 'Nothing to publish' })).toBeDisabled()
  })

  await test.step('a source that is gone: told plainly, and retried once it is back', async () => {
    const outside = await startOutsideServer()
    const { connection } = outside.values
    await page.goto(`${home}/integrations/setup/postgresql`)
    await page.getByLabel('Name', { exact: true }).fill('Warehouse')
    await page.getByLabel('Host').fill(String(connection['host']))
    await page.getByLabel('Port').fill(String(connection['port']))
    await page.getByLabel('Database', { exact: true }).fill(String(connection['database']))
    await page.getByLabel('User').fill(String(connection['user']))
    await page.getByLabel('Password', { exact: true }).fill(String(connection['password']))
    await page.getByLabel('Encryption').selectOption('Not encrypted')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await expect(page.getByText('The connection works')).toBeVisible()
    await page.getByRole('link', { name: 'Dataflows' }).first().click()
    await page.getByRole('table', { name: 'Dataflows' }).getByText('Shop performance', { exact: true }).click()
    await page.getByRole('button', { name: 'Add block' }).click()
    await addBlock(page, 'Source', /^Warehouse/)
    await setUp(page, 'Warehouse')
    await page.getByRole('radio', { name: /^parcels/ }).check()
    await page.getByLabel('Attempts').fill('1')
    await expect(pane(page, 'Output').getByRole('columnheader', { name: /city/ })).toBeVisible()
    await publish(page, 'Warehouse', 'Parcels')
    await outside.halt()
    await toRuns(page)
    await runBlock(page, 'Warehouse')
    await expect(getRunButton(page, 'Warehouse')).toContainText('Failed')
    await getRunButton(page, 'Warehouse').click()
    const panel = getRunPanel(page, 'Warehouse')
    await expect(panel).toContainText('The other side did not answer as it should')
    await expect(panel).toContainText(`127.0.0.1 refuses connections on port ${connection['port']}.`)
    await outside.resume()
    await panel.getByRole('button', { name: 'Retry from this block' }).click()
    await expect(panel).toContainText('Succeeded')
    await expect(panel).toContainText('Complete: 900 rows at the source, 900 here')
    await panel.getByRole('button', { name: 'Close' }).click()
    await outside.stop()
    await toEditor(page)
    await block(page, 'Warehouse').focus()
    await page.keyboard.press('Delete')
    await expect(block(page, 'Warehouse')).toBeHidden()
  })

  await test.step('a past week is read again beside the cursor', async () => {
    await toRuns(page)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: /^Run/ })
    await dialog.getByLabel('Block', { exact: true }).selectOption({ label: 'Shop' })
    const [from, to] = [daysAgo(10), daysAgo(4)]
    await dialog.getByRole('radio', { name: /^Backfill/ }).check()
    await dialog.getByRole('radio', { name: /^Range of dates/ }).check()
    await dialog.getByLabel('Start date').fill(from)
    await dialog.getByLabel('End date').fill(to)
    await expect(dialog.getByText('7 days')).toBeVisible()
    await dialog.getByRole('button', { name: 'Start the backfill' }).click()
    await expect(dialog).toBeHidden()
    await getRunButton(page, 'Shop').click()
    const panel = getRunPanel(page, 'Shop')
    await expect(panel).toContainText(`had ${from} to ${to} read again`)
    await expect(panel.getByText('Complete', { exact: true })).toHaveCount(2)
  })

  await test.step('that run is undone', async () => {
    const panel = getRunPanel(page, 'Shop')
    await panel.getByRole('button', { name: 'Roll back this run' }).click()
    const asked = page.getByRole('dialog', { name: 'Roll back this run?' })
    await asked.getByRole('button', { name: 'Roll back' }).click()
    await expect(asked).toBeHidden()
    await expect(panel.getByText('Rolled back', { exact: true })).toHaveCount(2)
    await expect(page.getByText('The run was rolled back.')).toBeVisible()
    await panel.getByRole('button', { name: 'Close' }).click()
  })

  await test.step('it is taken to another workspace as YAML, where it runs as well', async () => {
    await giveEmptyWorkspace(page.request, person, { account, name: 'Second shop', workspace_address: 'second' })
    await page.getByRole('button', { name: 'Actions for Shop performance' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export as YAML' }).click(),
    ])
    const path = await file.path()
    await page.goto(`/${account}/second/dataflows`)
    await page
      .getByRole('button', { name: /Import/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog', { name: 'Import from YAML' })
    await dialog.getByLabel('File with a dataflow').setInputFiles(path)
    await dialog.getByRole('button', { name: 'Check' }).click()
    await expect(dialog).toContainText('"Shop" needs the connection "Sample shop"')
    await connectSampleData(page, `/${account}/second`)
    await page.goto(`/${account}/second/dataflows`)
    await page
      .getByRole('button', { name: /Import/ })
      .first()
      .click()
    await dialog.getByLabel('File with a dataflow').setInputFiles(path)
    await dialog.getByRole('button', { name: 'Check' }).click()
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await expect(arrow(page, 'Clean orders', 'Daily revenue')).toBeAttached()
    await page.getByRole('button', { name: 'Publish 4' }).click()
    await page.getByRole('dialog', { name: 'Publish 4 blocks' }).getByRole('button', { name: 'Publish' }).click()
    await expect(page.getByRole('button', { name: 'Nothing to publish' })).toBeDisabled()
    await page.getByRole('button', { name: 'Run all' }).click()
    await toRuns(page)
    await expect(getRunButton(page, 'Send the report')).toContainText('Succeeded')
  })
})
