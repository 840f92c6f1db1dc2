import { createServer } from 'node:http'
import type { Page } from '@playwright/test'
import { getEnvironment } from '../../harness/environment.ts'
import { giveDataflow } from '../../harness/given-dataflow.ts'
import { makeOutsideDatabase } from '../../harness/outside.ts'
import { signIn, type Person } from '../../harness/people.ts'
import { CLIENT } from '../../harness/platforms/local-platforms.ts'
import { answered, expect, test } from '../../harness/test.ts'
import { giveWorkspaceWithTables } from '../../harness/workspace-data.ts'
import { findFaults } from '../../screens/axe.ts'

const MAX_CLICKS = 8
/** Connection tests and first runs are background jobs. */
const WORKED = { timeout: 60_000 }

const panel = (page: Page) => page.getByRole('dialog')
const source = (page: Page, section: string, name: string) =>
  page.getByRole('region', { name: section }).getByRole('button', { name })

async function openEmpty(page: Page, person: Person): Promise<() => Promise<number>> {
  const { account } = await giveWorkspaceWithTables(page.request, person)
  const flow = await giveDataflow(page.request, person, { account, blocks: {} })
  await page.addInitScript(() => {
    const count = () => Number(sessionStorage.getItem('clicks') ?? 0)
    addEventListener('pointerdown', () => sessionStorage.setItem('clicks', String(count() + 1)), true)
  })
  await signIn(page, person, `/${account}/shop/dataflow/${flow.code}/editor`)
  await expect(page.getByRole('heading', { name: 'Where does the data come from?' })).toBeVisible()
  await page.evaluate(() => sessionStorage.setItem('clicks', '0'))
  return () => page.evaluate(() => Number(sessionStorage.getItem('clicks')))
}

async function fillByKeys(page: Page, label: string, text: string): Promise<void> {
  const field = panel(page).getByLabel(label, { exact: true })
  for (let pressed = 0; pressed < 20; pressed += 1) {
    if (await field.evaluate((element) => element === document.activeElement)) break
    await page.keyboard.press('Tab')
  }
  await expect(field).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(text)
}

test('from an empty dataflow to rows on a schedule, with a source that is connected', async ({ page, person }) => {
  const countClicks = await openEmpty(page, person)
  await expect(source(page, 'Connected', 'Sample shop')).toBeVisible()
  expect(await findFaults(page)).toEqual([])
  await source(page, 'Connected', 'Sample shop').click()
  await panel(page).getByRole('checkbox', { name: 'Orders' }).click()
  await expect(panel(page).getByRole('columnheader', { name: /order_id/ })).toBeVisible()
  await expect(panel(page).getByText('1 table. Runs every day at 06:00, UTC.')).toBeVisible()
  expect(await findFaults(page)).toEqual([])
  await panel(page).getByRole('button', { name: 'Publish and run' }).click()
  await expect(panel(page).getByRole('heading', { name: 'Your dataflow is live' })).toBeVisible()
  await expect(panel(page).getByText(/^[\d,]+ rows loaded by the first run/)).toBeVisible(WORKED)
  await expect(panel(page).getByRole('link', { name: 'data.orders' })).toBeVisible()
  await expect(panel(page).getByRole('columnheader', { name: /order_id/ })).toBeVisible()
  expect(await findFaults(page)).toEqual([])
  expect(await countClicks()).toBe(3)

  await panel(page).getByRole('button', { name: 'Add what comes next' }).click()
  await expect(page.getByRole('dialog', { name: 'Add a block' }).getByLabel('Run it after Sample shop')).toBeChecked()
  await page.keyboard.press('Escape')
  const block = page.getByRole('group', { name: /^Source Sample shop/ })
  await expect(block).toContainText('Succeeded')
  await expect(block).toHaveAccessibleName(/At 06:00, every day, UTC time/)
  await expect(page.getByText('Double-click a block to open it')).toBeVisible()
})

test('a database is connected in place; a wrong password says so and keeps what was typed', async ({
  page,
  person,
}) => {
  test.slow()
  const outside = await makeOutsideDatabase()
  const countClicks = await openEmpty(page, person)
  await source(page, 'Connect a new source', 'PostgreSQL').click()
  await expect(panel(page).getByLabel('Name', { exact: true })).toHaveValue('PostgreSQL')
  await fillByKeys(page, 'Host', '127.0.0.1')
  await fillByKeys(page, 'Port', outside.port)
  await fillByKeys(page, 'Database', outside.database)
  await fillByKeys(page, 'User', outside.reader)
  await fillByKeys(page, 'Password', 'not-this-one')
  await panel(page).getByLabel('Encryption').selectOption('Not encrypted')
  await panel(page).getByRole('button', { name: 'Connect', exact: true }).click()

  const wrong = panel(page).getByText(`The password for the user ${outside.reader} is wrong`).first()
  await expect(wrong).toBeVisible(WORKED)
  await expect(panel(page).getByLabel('Password', { exact: true })).toBeFocused()
  await expect(panel(page).getByLabel('Host')).toHaveValue('127.0.0.1')
  await expect(panel(page).getByLabel('Database', { exact: true })).toHaveValue(outside.database)
  expect(await findFaults(page)).toEqual([])
  await fillByKeys(page, 'Password', outside.password)
  await page.keyboard.press('Enter')

  await panel(page)
    .getByRole('checkbox', { name: /^orders/ })
    .click(WORKED)
  await expect(panel(page).getByRole('gridcell', { name: 'Customer 1' }).first()).toBeVisible(WORKED)
  await panel(page).getByText('Every hour').click()
  await expect(panel(page).getByText('1 table. Runs every hour.')).toBeVisible()
  await panel(page).getByRole('button', { name: 'Publish and run' }).click()
  await expect(panel(page).getByText(/^250 rows loaded by the first run/)).toBeVisible(WORKED)
  expect(await countClicks()).toBeLessThanOrEqual(MAX_CLICKS)
})

test('a connection that never worked is gone when the panel is closed', async ({ page, person }) => {
  const outside = await makeOutsideDatabase()
  await openEmpty(page, person)
  await source(page, 'Connect a new source', 'PostgreSQL').click()
  await panel(page).getByLabel('Host').fill('127.0.0.1')
  await panel(page).getByLabel('Port').fill(outside.port)
  await panel(page).getByLabel('Database', { exact: true }).fill(outside.database)
  await panel(page).getByLabel('User').fill(outside.reader)
  await panel(page).getByLabel('Password', { exact: true }).fill('not-this-one')
  await panel(page).getByLabel('Encryption').selectOption('Not encrypted')
  await panel(page).getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(panel(page).getByText('is wrong').first()).toBeVisible(WORKED)
  await page.keyboard.press('Escape')
  await expect(panel(page)).toBeHidden()
  await expect(source(page, 'Connected', 'Sample shop')).toBeVisible()
  await expect(source(page, 'Connected', 'PostgreSQL')).toHaveCount(0)
})

test('a CSV file at a web address, on a phone', async ({ page, person }) => {
  const csv = 'id,city\n1,Oslo\n2,Lima\n'
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/csv' }).end(csv))
  await new Promise<void>((started) => server.listen(0, '127.0.0.1', started))
  const { port } = server.address() as { port: number }
  await page.setViewportSize({ width: 390, height: 844 })
  const countClicks = await openEmpty(page, person)
  await source(page, 'Connect a new source', 'Files over HTTP').click()
  await fillByKeys(page, 'Address', `http://127.0.0.1:${port}/exports/cities.csv`)
  await page.keyboard.press('Enter')
  await expect(panel(page).getByRole('gridcell', { name: 'Lima' })).toBeVisible(WORKED)
  expect(await findFaults(page)).toEqual([])
  await panel(page).getByRole('button', { name: 'Publish and run' }).click()
  await expect(panel(page).getByText(/^2 rows loaded by the first run/)).toBeVisible(WORKED)
  await expect(panel(page).getByRole('link', { name: 'data.cities' })).toBeVisible()
  expect(await countClicks()).toBe(2)
  server.closeAllConnections()
  server.close()
})

test.describe('a platform with a consent page', () => {
  test.use({
    otherHosts: async ({ connected }, use) => use(connected ? [] : [new URL(getEnvironment().platformsUrl).host]),
    expectedErrors: answered(401, 422),
  })

  test('leads back to the panel, refused or allowed, where tables are chosen and read', async ({ page, person }) => {
    test.slow()
    await openEmpty(page, person)
    const editor = page.url()
    await source(page, 'Connect a new source', 'HubSpot').click()
    await panel(page).getByLabel('Name', { exact: true }).fill('Our CRM')
    await panel(page).getByLabel('Sign in with').selectOption('OAuth')
    await panel(page).getByLabel('Client ID').fill(CLIENT.client_id)
    await panel(page).getByLabel('Client secret', { exact: true }).fill(CLIENT.client_secret)
    await panel(page).getByRole('button', { name: 'Continue to HubSpot' }).click()
    await page.getByRole('link', { name: 'Refuse' }).click()
    await expect(page).toHaveURL(new RegExp(`^${editor}`))
    await expect(panel(page).getByText('HubSpot did not give its consent. Start again, and agree there.')).toBeVisible()
    await expect(panel(page).getByRole('heading', { name: 'Connect Our CRM' })).toBeFocused()
    expect(await findFaults(page)).toEqual([])
    await panel(page).getByRole('button', { name: 'Give consent at HubSpot' }).click()
    await page.getByRole('link', { name: 'Allow access' }).click()

    await expect(page).toHaveURL(new RegExp(`^${editor}`))
    await expect(panel(page).getByRole('heading', { name: 'Read from Our CRM' })).toBeFocused(WORKED)
    await panel(page).getByRole('checkbox', { name: 'Contacts' }).click(WORKED)
    await expect(panel(page).getByRole('columnheader', { name: /^id/ })).toBeVisible(WORKED)
    expect(await findFaults(page)).toEqual([])
    await panel(page).getByRole('button', { name: 'Publish and run' }).click()
    await expect(panel(page).getByText(/^[\d,]+ rows loaded by the first run/)).toBeVisible(WORKED)
    await expect(panel(page).getByRole('link', { name: 'data.contacts' })).toBeVisible()
  })
})
