import type { Page } from '@playwright/test'
import { makeOutsideDatabase, SHOP_TOKEN, startShopApi } from '../../harness/outside.ts'
import { giveAccount, signIn } from '../../harness/people.ts'
import { answered, expect, test } from '../../harness/test.ts'

test.use({ expectedErrors: answered(400, 422) })

/** Connection tests are background jobs. */
const CHECKED = { timeout: 60_000 }

const works = (page: Page) => expect(page.getByText('The connection works')).toBeVisible(CHECKED)
const save = (page: Page) => page.getByRole('button', { name: 'Save and check' }).click()

async function replace(page: Page, password: string): Promise<void> {
  await page.getByRole('button', { name: 'Replace' }).click()
  await page.getByLabel('Password', { exact: true }).fill(password)
}

test('PostgreSQL is set up, with every mistake told apart and mended', async ({ page, person }) => {
  test.slow()
  const code = await giveAccount(person)
  const outside = await makeOutsideDatabase()
  await signIn(page, person)

  await test.step('it is found in the catalogue and filled in, with a wrong password', async () => {
    await page.goto(`/${code}/marketing/integrations`)
    await page.getByRole('link', { name: 'Choose what to connect' }).click()
    await page.getByLabel('Search the catalogue').fill('postgres')
    await expect(page.getByRole('list', { name: 'Platforms' }).getByRole('link').first()).toContainText('PostgreSQL')
    await page.keyboard.press('Enter')
    const connect = page.getByRole('button', { name: 'Connect', exact: true })
    await expect(connect).toBeDisabled()
    await expect(page.getByText(/^Still to fill in: Name, Host, .* and Password\.$/)).toBeVisible()
    await page.getByLabel('Name', { exact: true }).fill('Shop')
    await page.getByLabel('Host').fill('127.0.0.1')
    await page.getByLabel('Port').fill(outside.port)
    await page.getByLabel('Database', { exact: true }).fill(outside.database)
    await page.getByLabel('User').fill(outside.reader)
    await page.getByLabel('Password', { exact: true }).fill('not-this-one')
    await page.getByLabel('Encryption').selectOption('Not encrypted')
    await connect.click()
    await expect(page.getByText(`The password for the user ${outside.reader} is wrong`).first()).toBeVisible(CHECKED)
    await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  })

  await test.step('a wrong host', async () => {
    await replace(page, outside.password)
    await page.getByLabel('Host').fill('no-such-host.invalid')
    await save(page)
    await expect(page.getByText('There is no host called no-such-host.invalid.').first()).toBeVisible(CHECKED)
    await page.getByRole('button', { name: 'Show the field' }).click()
    await expect(page.getByLabel('Host')).toBeFocused()
  })

  await test.step('a missing right', async () => {
    await page.getByLabel('Host').fill('127.0.0.1')
    await page.getByLabel('User').fill(outside.stranger)
    await save(page)
    // Credentials are not sent to a changed host.
    await expect(page.getByText('Enter this again')).toBeVisible()
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
    await page.getByLabel('Password', { exact: true }).fill(outside.password)
    await save(page)
    await expect(page.getByText(`The user ${outside.stranger} has no right to connect`).first()).toBeVisible(CHECKED)
    await expect(page.getByText('Have it granted: GRANT CONNECT ON DATABASE')).toBeVisible()
  })

  await test.step('it works, and its rows can be looked at', async () => {
    await page.getByLabel('User').fill(outside.reader)
    await save(page)
    await works(page)
    await page.getByRole('link', { name: 'Look at a sample' }).click()
    await page.getByRole('radio', { name: /^orders/ }).check()
    await page.getByRole('button', { name: 'Show rows' }).click()
    await expect(page.getByRole('gridcell', { name: 'Customer 1' }).first()).toBeVisible(CHECKED)
    await expect(page.getByRole('table', { name: 'Columns' })).toContainText('Cursor')
  })

  await test.step('it is listed, and deleted', async () => {
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByRole('heading', { name: 'Nothing connected yet' })).toBeVisible()
  })
})

test('a REST source is built in the browser, tested there and connected', async ({ page, person }) => {
  test.slow()
  const code = await giveAccount(person)
  const shop = await startShopApi()
  await signIn(page, person)
  await page.goto(`/${code}/marketing/integrations/setup/rest`)
  await page.getByLabel('Name', { exact: true }).fill('Orders of the shop')
  await page.getByRole('button', { name: 'Build the source' }).click()
  const builder = page.getByRole('dialog', { name: 'Build a REST source' })
  const run = builder.getByRole('button', { name: 'Test orders' })

  await test.step('address, sign-in and request; a test without the token says what is wrong', async () => {
    await builder.getByLabel('Base URL').fill(shop.url)
    await builder.getByLabel('How', { exact: true }).selectOption('Bearer token')
    await builder.getByRole('button', { name: 'records', exact: true }).click()
    await builder.getByLabel('Name of the stream').fill('orders')
    await builder.getByLabel('Path', { exact: true }).fill('/orders')
    await builder.getByRole('region', { name: 'Test' }).getByLabel('Token').fill('wrong')
    await run.click()
    await expect(builder.getByText('A setting is not right')).toBeVisible(CHECKED)
  })

  await test.step('with it, the records are picked from the answer and read page by page', async () => {
    await builder.getByRole('region', { name: 'Test' }).getByLabel('Token').fill(SHOP_TOKEN)
    await run.click()
    await builder.getByRole('button', { name: 'Take records from data.items' }).click(CHECKED)
    await expect(builder.getByLabel('Where the records stand')).toHaveValue('data.items')
    await builder.getByLabel('Pagination').selectOption('Page number')
    await builder.getByLabel('Records a page').fill('3')
    await run.click()
    await expect(builder.getByText('There is a next page.')).toBeVisible(CHECKED)
    await builder.getByRole('button', { name: 'Read the next page' }).click()
    await expect(builder.getByText('6 records')).toBeVisible(CHECKED)
    await builder.getByRole('tab', { name: 'Records' }).click()
    await expect(builder.getByRole('grid', { name: 'Records' })).toBeVisible()
    await builder.getByRole('tab', { name: 'Request' }).click()
    await expect(builder.getByText(SHOP_TOKEN)).toHaveCount(0)
  })

  await test.step('the same as JSON, both ways', async () => {
    await builder.getByRole('tab', { name: 'JSON' }).click()
    await expect(builder.locator('.monaco-editor')).toContainText('"orders"', CHECKED)
    await builder.getByRole('tab', { name: 'Form' }).click()
    await builder.getByRole('button', { name: 'Done' }).click()
  })

  await test.step('it is connected, and its rows can be looked at', async () => {
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await works(page)
    await page.getByRole('link', { name: 'Look at a sample' }).click()
    await page.getByLabel('What to read').selectOption('orders', CHECKED)
    await page.getByRole('button', { name: 'Show rows' }).click()
    await expect(page.getByRole('grid', { name: 'Sample rows' })).toContainText('2026-03-08', CHECKED)
  })
  await shop.stop()
})

test('Google Ads on its simulator: consent is asked for, given, and queries are judged', async ({ page, person }) => {
  test.slow()
  const code = await giveAccount(person)
  await signIn(page, person)
  await page.goto(`/${code}/marketing/integrations/setup/google_ads`)

  await test.step('consent that is denied is told, and can still be given', async () => {
    await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
    await page.getByRole('switch', { name: /^Try it with sample data/ }).check()
    await expect(page.getByLabel('Client secret')).toHaveCount(0)
    await expect(page.getByLabel('Developer token')).toHaveCount(0)
    await page.getByRole('button', { name: 'Continue to Google' }).click()
    await page.getByRole('link', { name: /^Deny/ }).click()
    await expect(page.getByRole('heading', { name: 'The connection got no consent' })).toBeVisible(CHECKED)
    await page.getByRole('link', { name: 'Back to the connection' }).click()
    await expect(page.getByRole('heading', { name: /Google Ads \(sample data\)/ })).toBeVisible()
  })

  await test.step('consent by somebody without access is told', async () => {
    await page.getByRole('button', { name: 'Give consent at Google' }).click()
    await page.getByRole('link', { name: /^Allow as someone without access/ }).click()
    await expect(page.getByRole('heading', { name: /Google Ads/ })).toBeVisible(CHECKED)
    await expect(page.getByText('A setting is not right')).toBeVisible(CHECKED)
  })

  await test.step('given again by its owner, it works', async () => {
    await page.getByRole('button', { name: /consent/ }).click()
    await page.getByRole('link', { name: 'Allow', exact: true }).click()
    await works(page)
  })

  await test.step('a query is judged by line and column, then brings rows', async () => {
    await page.getByRole('tab', { name: 'Sample' }).click()
    const editor = page.locator('.monaco-editor').first()
    await editor.click(CHECKED)
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.insertText('SELECT campaign.nothing FROM campaign')
    await page.getByRole('button', { name: 'Validate' }).click()
    await expect(page.getByText(/^Line 1, column/)).toBeVisible(CHECKED)
    await editor.click()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.insertText('SELECT campaign.id, campaign.name, metrics.clicks FROM campaign')
    await page.getByRole('button', { name: 'Validate' }).click()
    await expect(page.getByText('The query is valid: 3 fields from campaign.')).toBeVisible(CHECKED)
    await page.getByLabel('Start date').fill(new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10))
    await page.getByRole('button', { name: 'Show rows' }).click()
    await expect(page.getByRole('grid', { name: 'Sample rows' })).toContainText('Brand north', CHECKED)
  })
})
