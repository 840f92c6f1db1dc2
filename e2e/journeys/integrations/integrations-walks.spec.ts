import type { Locator, Page } from '@playwright/test'
import { tabTo } from '../keyboard.ts'
import { SHOP_TOKEN, makeOutsideDatabase, startShopApi } from '../../harness/outside.ts'
import { giveAccount, giveView, post, signIn, signUp } from '../../harness/people.ts'
import { expect, test } from '../../harness/test.ts'
import { giveWorkspaceWithTables } from '../../harness/workspace-data.ts'

/** Connection tests are background jobs. */
const CHECKED = { timeout: 60_000 }

async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

async function type(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(text)
}

test('a REST source is found, built, connected and looked at by keyboard alone', async ({ page, person }) => {
  test.slow()
  const code = await giveAccount(person)
  const shop = await startShopApi()
  await signIn(page, person, `/${code}/marketing/integrations`)
  const builder = page.getByRole('dialog', { name: 'Build a REST source' })
  const trial = builder.getByRole('region', { name: 'Test' })

  await test.step('catalogue', async () => {
    await press(page, page.getByRole('link', { name: 'Choose what to connect' }))
    await expect(page.getByLabel('Search the catalogue')).toBeFocused()
    await page.keyboard.type('rest')
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('list', { name: 'Platforms' }).getByRole('link').first()).toBeFocused()
    await page.goto(`/${code}/marketing/integrations/create?q=web+api`)
    await press(page, page.getByRole('link', { name: /REST/ }).first())
  })

  await test.step('setup begins in its first field', async () => {
    await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
    await page.keyboard.type('Orders')
    await press(page, page.getByRole('button', { name: 'Build the source' }))
    await expect(builder).toBeVisible()
  })

  await test.step('the builder', async () => {
    await type(page, builder.getByLabel('Base URL'), shop.url)
    await tabTo(page, builder.getByLabel('How', { exact: true }))
    await page.keyboard.type('Bearer')
    await press(page, builder.getByRole('button', { name: 'records', exact: true }))
    await type(page, builder.getByLabel('Name of the stream'), 'orders')
    await type(page, builder.getByLabel('Path', { exact: true }), '/orders')
    await type(page, trial.getByLabel('Token'), SHOP_TOKEN)
    await press(page, builder.getByRole('button', { name: 'Test orders' }))
    await builder.getByRole('button', { name: 'Take records from data.items' }).waitFor(CHECKED)
    await press(page, builder.getByRole('button', { name: 'Take records from data.items' }))
    await expect(builder.getByLabel('Where the records stand')).toHaveValue('data.items')
    await press(page, builder.getByRole('button', { name: 'Done' }))
    await expect(builder).toBeHidden()
  })

  await test.step('connected, then its description', async () => {
    await press(page, page.getByRole('button', { name: 'Connect', exact: true }))
    await expect(page.getByText('The connection works')).toBeVisible(CHECKED)
    await press(page, page.getByRole('link', { name: 'Look at a sample' }))
    await expect(page.getByRole('heading', { name: 'Orders' })).toBeVisible()
    const streams = page.getByLabel('What to read')
    // Typing selects among options, which load from the platform.
    await expect(streams.getByRole('option', { name: 'orders' })).toBeAttached()
    await tabTo(page, streams)
    await page.keyboard.type('orders')
    await press(page, page.getByRole('button', { name: 'Show rows' }))
    await expect(page.getByRole('grid', { name: 'Sample rows' })).toContainText('2026-03-01', CHECKED)
  })
  await shop.stop()
})

test('a viewer sees connections and can do nothing with them', async ({ page, person, request, mailbox }) => {
  test.slow()
  const { account: code } = await giveWorkspaceWithTables(request, person)
  const outside = await makeOutsideDatabase()
  const { email, password } = person
  const { access_token } = (await post(request, '/auth/login', { email, password })) as { access_token: string }
  const { port, database, reader: user } = outside
  const connection = { host: '127.0.0.1', port: Number(port), database, user, password: outside.password }
  const made = await request.post(`/api/${code}/shop/integrations`, {
    headers: { authorization: `Bearer ${access_token}` },
    data: {
      platform_trellis_code: 'postgresql',
      name: 'Warehouse',
      values: { connection: { ...connection, tls: 'disable' } },
    },
  })
  expect(made.ok(), await made.text()).toBe(true)
  const viewer = await signUp(request, mailbox)
  await giveView(viewer, code, 'shop')
  const home = `/${code}/shop/integrations`
  await signIn(page, viewer, home)

  await test.step('the list and the description tell, and offer nothing', async () => {
    await expect(page.getByRole('table', { name: 'Connections' })).toContainText('Warehouse')
    await expect(page.getByRole('link', { name: 'Connect', exact: true })).toHaveCount(0)
    await page.getByText('Warehouse', { exact: true }).click()
    await expect(page.getByRole('heading', { name: /Warehouse/ })).toBeVisible()
    for (const name of ['Delete', 'Check now', 'Show rows']) {
      await expect(page.getByRole('button', { name })).toHaveCount(0)
    }
    for (const name of ['Change settings', 'Open in the explorer']) {
      await expect(page.getByRole('link', { name })).toHaveCount(0)
    }
  })

  await test.step('addresses that are typed in say why not', async () => {
    const { integration_trellis_code } = ((await made.json()) as { data: { integration_trellis_code: string } }).data
    for (const path of ['create', 'setup/postgresql', `update/${integration_trellis_code}`]) {
      await page.goto(`${home}/${path}`)
      await expect(page.getByRole('heading', { name: 'You can look, but not connect' })).toBeVisible()
    }
    await page.getByRole('link', { name: 'All connections' }).click()
    await expect(page.getByRole('table', { name: 'Connections' })).toBeVisible()
  })

  await test.step('the explorer shows none of its tables', async () => {
    await page.goto(`/${code}/shop/explorer/home`)
    await expect(page.getByRole('heading', { name: 'Explorer', exact: true })).toBeVisible()
    await expect(page.getByRole('treeitem', { name: 'shop', exact: true })).toBeVisible()
    await expect(page.getByText('Warehouse')).toHaveCount(0)
  })
})
