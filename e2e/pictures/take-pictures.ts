import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Page, chromium, expect } from '@playwright/test'
import { findFreePort } from '@trellis/embedded/postgres/free-port'
import { buildWeb } from '../harness/build-web.ts'
import { CHROMIUM_FLAGS, getChromium } from '../harness/chromium.ts'
import { signIn } from '../harness/people.ts'
import { startProduct } from '../harness/product.ts'
import { getEditor, getResults } from '../harness/worksheet.ts'

/** Takes the README's pictures from the demo data: `npm run pictures`. */
const FOLDER = join(import.meta.dirname, '../../docs/pictures')
const SIZE = { width: 1440, height: 900 }
const MAX_BYTES = 200_000
const PATIENCE_MS = 180_000

async function main(): Promise<void> {
  await buildWeb()
  const home = await mkdtemp(join(tmpdir(), 'trellis-pictures-'))
  const product = await startProduct({ port: await findFreePort(), home, settings: { TRELLIS_RATE_LIMITS: 'off' } })
  const browser = await chromium.launch({ executablePath: getChromium(), args: CHROMIUM_FLAGS })
  try {
    const page = await browser.newPage({ baseURL: product.url, viewport: SIZE, locale: 'en-GB', timezoneId: 'UTC' })
    page.setDefaultTimeout(PATIENCE_MS)
    const [, email = '', password = ''] = /Sign in +(\S+@\S+)\n +Password +(\S+)/.exec(product.output()) ?? []
    await signIn(page, { email, password, firstName: 'Demo', surname: 'Profile' })
    const shop = await openShop(page)
    await takeCanvas(page, shop)
    await takeExplorer(page, shop)
    await takeWorksheet(page, shop)
    await takeAssistant(page, shop)
  } finally {
    await browser.close()
    await product.stop()
    await rm(home, { recursive: true, force: true })
  }
}

async function take(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0)
  await page.evaluate(() => document.fonts.ready)
  const path = join(FOLDER, `${name}.png`)
  await page.screenshot({ path, animations: 'disabled' })
  const { size } = await stat(path)
  if (size > MAX_BYTES) throw new Error(`${path} has ${size} bytes; the limit is ${MAX_BYTES}.`)
  process.stdout.write(`${path}: ${Math.round(size / 1000)} KB\n`)
}

interface Shop {
  url: string
  flow: string
  database: string
}

/** The demo is created in the background; wait for one complete flow run. */
async function openShop(page: Page): Promise<Shop> {
  const token = await page.evaluate(() => localStorage.getItem('trellis.token'))
  const { access_token } = JSON.parse(token ?? '{}') as { access_token: string }
  const read = async <T>(path: string): Promise<T> => {
    const response = await page.request.get(`/api${path}`, { headers: { authorization: `Bearer ${access_token}` } })
    return ((await response.json()) as { data: T }).data
  }
  const [account] = await read<{ trellis_code: string }[]>('/account')
  const url = `/${account?.trellis_code ?? ''}/shop`
  const findFlow = async () =>
    (await read<{ dataflows: { trellis_code: string }[] }>(`${url}/dataflows/folder-structure`)).dataflows[0]
  await expect.poll(findFlow, { timeout: PATIENCE_MS }).toBeDefined()
  const flow = (await findFlow())?.trellis_code ?? ''
  const listStates = async () => {
    const { runs } = await read<{ runs: { status: string }[] }>(`${url}/dataflows/task-runs/${flow}`)
    return runs.map(({ status }) => status)
  }
  await expect.poll(listStates, { timeout: PATIENCE_MS }).toEqual(Array.from({ length: 7 }, () => 'SUCCESS'))
  const [database] = await read<{ integration_trellis_code: string }[]>(
    `${url}/tdb-explorer/database-manager/databases`,
  )
  return { url, flow, database: database?.integration_trellis_code ?? '' }
}

async function takeCanvas(page: Page, { url, flow }: Shop): Promise<void> {
  await page.goto(`${url}/dataflow/${flow}/editor`)
  await page.getByRole('group', { name: /Weekly ROAS/ }).waitFor()
  await take(page, 'canvas')
}

async function takeExplorer(page: Page, { url, database }: Shop): Promise<void> {
  await page.goto(`${url}/explorer/${database}/schema/shop/table/orders/preview`)
  await page.getByRole('grid').getByRole('gridcell').first().waitFor()
  await take(page, 'explorer')
}

async function takeWorksheet(page: Page, { url }: Shop): Promise<void> {
  await page.goto(`${url}/explorer/worksheets`)
  await page.getByRole('link', { name: 'Revenue by month' }).first().click()
  await getEditor(page).click()
  await page.keyboard.press('ControlOrMeta+Enter')
  await getResults(page).getByRole('button', { name: 'Chart', exact: true }).click()
  await getResults(page).getByRole('slider').waitFor()
  await take(page, 'worksheet')
}

async function takeAssistant(page: Page, { url }: Shop): Promise<void> {
  await page.goto(`${url}/ai/projects`)
  await page
    .locator('#content')
    .getByRole('link', { name: /^Demo shop/ })
    .click()
  await page.getByRole('button', { name: 'New chat' }).click()
  await page.getByRole('textbox', { name: 'Question', exact: true }).fill('What is our revenue by month?')
  await page.keyboard.press('Enter')
  await page.getByRole('article', { name: 'Answer' }).getByRole('slider').waitFor()
  await take(page, 'assistant')
}

await main()
