import type { Page } from '@playwright/test'
import { giveDataflow } from '../harness/given-dataflow.ts'
import { signIn } from '../harness/people.ts'
import { answered, expect, test } from '../harness/test.ts'
import { giveWorkspaceWithTables } from '../harness/workspace-data.ts'
import { findFaults } from '../screens/axe.ts'

/** A preview of a missing table is refused. */
test.use({ expectedErrors: answered(404, 409, 422) })

const saved = (page: Page) => expect(page.getByText('Saved', { exact: true })).toBeVisible()
const pane = (page: Page, name: 'Input' | 'Output') => page.getByRole('region', { name, exact: true })

async function publish(page: Page, name: string, message: string): Promise<void> {
  await page.getByRole('button', { name: /^Publish/ }).click()
  const dialog = page.getByRole('dialog', { name: `Publish ${name}` })
  await expect(dialog.getByRole('heading', { name: 'Tables' })).toBeVisible()
  await dialog.getByLabel('Message').fill(message)
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByRole('button', { name: 'Nothing to publish' })).toBeDisabled()
}

const TYPED =
  'select placed_at::date as day, sum(amount) as revenue, count(*) as orders, min(amount) as smallest, ' +
  'max(amount) as largest, avg(amount) as mean from shop.orders where amount is not null group by 1 order by 1'
const bare = (text: string) => text.replaceAll(/\s/g, '')

async function chooseByKeys(page: Page, label: string, letters: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).focus()
  await page.keyboard.type(letters)
}

test('a source with Upsert and a schedule, then SQL after it, are set up and published', async ({ page, person }) => {
  test.slow()
  const { account } = await giveWorkspaceWithTables(page.request, person)
  const flow = await giveDataflow(page.request, person, {
    account,
    blocks: { 'Shop orders': 'Source', 'Revenue by day': 'Transformation' },
  })
  await signIn(page, person, `/${account}/shop/dataflows`)

  await test.step('what is missing is listed and leads to its field', async () => {
    await page.goto(flow.toSetupPath('Shop orders'))
    await page.getByRole('button', { name: 'Incomplete: 2 missing' }).click()
    await expect(page.getByLabel('Platform')).toBeFocused()
    expect(await findFaults(page)).toEqual([])
  })

  await test.step('by keyboard: platform, connection, subtask, what it reads', async () => {
    await chooseByKeys(page, 'Platform', 'Sample')
    await expect(page.getByLabel('Connection', { exact: true })).toBeEnabled()
    await chooseByKeys(page, 'Connection', 'Sample')
    await expect(page.getByLabel('What to read')).toBeVisible()
    await chooseByKeys(page, 'What to read', 'Orders')
    await expect(page.getByLabel('Name of the subtask')).toHaveValue('Orders')
    await expect(pane(page, 'Input').getByRole('columnheader', { name: /order_id/ })).toBeVisible()
  })

  await test.step('Upsert asks for a key', async () => {
    await page.getByRole('radio', { name: /^Append/ }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('radio', { name: /^Upsert/ })).toBeChecked()
    const setUp = page.getByRole('button', { name: 'Setup Table' })
    await setUp.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Setup Table' })
    const key = dialog.getByRole('checkbox', { name: 'order_id is part of the primary key' })
    await key.setChecked(false)
    await expect(
      dialog.getByText('At least one primary key needs to be selected to enable upsert functionality.'),
    ).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
    expect(await findFaults(page)).toEqual([])
    await key.focus()
    await page.keyboard.press('Space')
    await dialog.getByRole('button', { name: 'Save' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Rows are identified by order_id', { exact: true })).toBeVisible()
    await saved(page)
    await expect(pane(page, 'Output').getByRole('columnheader', { name: /order_id/ })).toBeVisible()
  })

  await test.step('a schedule, with what is wrong told at its field', async () => {
    await page.getByLabel('Scope').selectOption('Any action (OR)')
    await page.getByRole('button', { name: 'Add action' }).click()
    await page.getByLabel('Schedule type').selectOption('Cron Schedule')
    await page.getByLabel('Cron expression').fill('0 25 * * ? *')
    await page.getByLabel('Time standard').selectOption('America/New_York')
    await expect(page.getByText('Hour must be between 0 and 23, or *')).toBeVisible()
    await page.getByLabel('Cron expression').fill('0 6 ? * 1-5 *')
    await expect(page.getByText('on Monday to Friday')).toBeVisible()
    await expect(page.getByRole('list', { name: 'Next due times' }).getByRole('listitem')).toHaveCount(10)
    await saved(page)
    expect(await findFaults(page)).toEqual([])
  })

  await test.step('it is published, and what is changed later can be compared and taken back', async () => {
    await publish(page, 'Shop orders', 'First version')
    await page.getByLabel('Attempts').fill('5')
    await expect(page.getByRole('button', { name: 'Publish changes' })).toBeEnabled()
    await saved(page)
    await page.getByRole('button', { name: 'Versions' }).click()
    const versions = page.getByRole('dialog', { name: 'Versions of Shop orders' })
    await expect(versions.getByText('First version')).toBeVisible()
    await expect(versions.getByRole('row', { name: /^Attempts/ })).toContainText('5')
    expect(await findFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByRole('button', { name: 'Nothing to publish' })).toBeVisible()
  })

  await test.step('SQL over a table, which runs after the source', async () => {
    await page.goto(flow.toSetupPath('Revenue by day'))
    const editor = page.getByRole('textbox', { name: 'SQL' })
    await editor.focus()
    // Without pauses: no letter may be lost or swapped.
    await page.keyboard.type(TYPED)
    await expect.poll(async () => bare(await page.locator('.view-lines').innerText())).toBe(bare(TYPED))
    await page.getByRole('checkbox', { name: /Write the rows of the SELECT/ }).check()
    await expect(pane(page, 'Input').getByRole('columnheader', { name: /placed_at/ })).toBeVisible()
    await saved(page)
    await expect(pane(page, 'Output').getByRole('columnheader', { name: /revenue/ })).toBeVisible()
    await page.getByLabel('Scope').selectOption('Any action (OR)')
    await page.getByRole('button', { name: 'Add action' }).click()
    await page.getByLabel('Action', { exact: true }).selectOption('Activity')
    await page.getByLabel('Activity', { exact: true }).selectOption({ label: 'Shop orders (source)' })
    await saved(page)
    expect(await findFaults(page)).toEqual([])
    await publish(page, 'Revenue by day', 'Revenue')
  })
})

test('two people change one block: the later one is told and chooses', async ({ page, visitor, person }) => {
  const { account } = await giveWorkspaceWithTables(page.request, person)
  const flow = await giveDataflow(page.request, person, { account, blocks: { Orders: 'Source' } })
  await signIn(page, person, `/${account}/shop/dataflows`)
  await signIn(visitor, person, `/${account}/shop/dataflows`)
  await page.goto(flow.toSetupPath('Orders'))
  await visitor.goto(flow.toSetupPath('Orders'))
  await page.getByLabel('Attempts').fill('4')
  await saved(page)
  await visitor.getByLabel('Longest time in minutes').fill('90')
  await saved(visitor)
  await expect(visitor.getByLabel('Attempts')).toHaveValue('4')
  await page.getByLabel('Longest time in minutes').fill('30')
  await expect(page.getByText('Ada Lovelace changed this block meanwhile')).toBeVisible()
  await page.getByRole('button', { name: 'Take theirs' }).click()
  await expect(page.getByLabel('Longest time in minutes')).toHaveValue('90')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByLabel('Longest time in minutes')).toHaveValue('30')
  await saved(page)
})
