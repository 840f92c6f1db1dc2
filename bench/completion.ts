import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CDPSession, chromium, type Page } from '@playwright/test'
import { findFreePort } from '@trellis/embedded/postgres/free-port'
import { createCatalogue, type CatalogueContent } from '../apps/web/src/sql-language/catalogue/catalogue.ts'
import { complete } from '../apps/web/src/sql-language/complete/complete.ts'
import { CHROMIUM_FLAGS, getWholeChromium } from '../e2e/harness/chromium.ts'
import { publishEnvironment } from '../e2e/harness/environment.ts'
import { openMailbox } from '../e2e/harness/mailbox.ts'
import { signIn, signUp } from '../e2e/harness/people.ts'
import { databaseUrlOf, startProduct } from '../e2e/harness/product.ts'
import { giveWorkspaceWithTables } from '../e2e/harness/workspace-data.ts'
import { type Figure, median, report } from './report.ts'

const TABLES = 20_000
const LINES = 5000
const ROUNDS = 15

/** Suggestions for 20,000 tables and typing in a worksheet of 5,000 lines, in Chromium. */
export async function run(_args: string[]): Promise<void> {
  const content = sampleCatalogue()
  const figures = measureFunction(content)
  const home = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  const product = await startProduct({ port: await findFreePort(), home, settings: { TRELLIS_RATE_LIMITS: 'off' } })
  const databaseUrl = databaseUrlOf(home)
  publishEnvironment({ url: product.url, connectedUrl: '', issuer: '', reportsUrl: '', databaseUrl })
  const browser = await chromium.launch({ executablePath: getWholeChromium(), args: CHROMIUM_FLAGS })
  try {
    const context = await browser.newContext({ baseURL: product.url, viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    await page.route('**/database-manager/catalogue/*', (route) =>
      route.fulfill({ json: { data: { ...content, version: 'x', is_unchanged: false, next_after: null } } }),
    )
    const person = await signUp(page.request, openMailbox(page.request))
    const { explorer } = await giveWorkspaceWithTables(page.request, person)
    await signIn(page, person, `${explorer}/worksheets`)
    await openWorksheet(page)
    figures.push(...(await measureSuggestions(page)))
    figures.push(...(await measureTyping(page, await context.newCDPSession(page))))
    await report('completion', figures)
  } finally {
    await browser.close()
    await product.stop()
    await rm(home, { recursive: true, force: true })
  }
}

const WORDS = ['order', 'customer', 'product', 'invoice', 'payment', 'event', 'session', 'account', 'item', 'price']

function sampleCatalogue(): CatalogueContent {
  const columns = ['id', 'customer_id', 'created_at', 'updated_at', 'status', 'amount', 'currency', 'note']
  const tables = Array.from({ length: TABLES }, (_, at) => ({
    schema: 'data',
    name: `${WORDS[at % 10]}_${WORDS[Math.floor(at / 10) % 10]}_${at}`,
    kind: 'table' as const,
    comment: null,
    columns,
    types: columns.map(() => 'text'),
    column_comments: {},
  }))
  return { search_path: ['data'], schemas: ['data'], tables, foreign_keys: [], functions: [] }
}

/** The whole answer of the language service beside a bare filter over the names, which is the least it could cost. */
function measureFunction(content: CatalogueContent): Figure[] {
  const catalogue = createCatalogue(content)
  const names = content.tables.map(({ name }) => name)
  const sql = 'select * from invoice_pay'
  const time = (work: () => unknown) => {
    const times: number[] = []
    for (let round = 0; round < 60; round += 1) {
      const begin = performance.now()
      work()
      times.push(performance.now() - begin)
    }
    return median(times.slice(20))
  }
  const bare = time(() => names.filter((name) => name.startsWith('invoice_pay')).slice(0, 100))
  const own = time(() => complete(sql, sql.length, { catalogue }))
  return [
    { what: 'names with this prefix, bare filter', value: bare, unit: 'ms' },
    { what: 'completion of the same prefix', value: own, unit: 'ms', limit: { value: 50, isAtMost: true } },
    { what: 'completion against the bare filter', value: own / bare, unit: '×' },
  ]
}

async function openWorksheet(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New project' }).click()
  await page.getByLabel('Project name').fill('Large')
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByRole('heading', { name: 'Large' }).waitFor()
  await page.getByRole('button', { name: 'New worksheet' }).click()
  const dialog = page.getByRole('dialog', { name: 'New worksheet' })
  const projects = dialog.getByLabel('Project')
  if ((await projects.count()) > 0) await projects.selectOption('Large')
  await dialog.getByLabel('Name').fill('large')
  await dialog.getByRole('button', { name: 'Create worksheet' }).click()
  await page.locator('.monaco-editor').first().click()
}

async function write(page: Page, text: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(text)
}

/** From the key to the first frame with the list. */
async function measureSuggestions(page: Page): Promise<Figure[]> {
  // The catalogue may come after the first letters.
  for (let isReady = false; !isReady;) {
    await page.keyboard.press('Escape')
    await write(page, 'select * from ')
    await page.keyboard.type('o')
    await page.waitForTimeout(1000)
    const rows = page.locator('.suggest-widget .monaco-list-row').filter({ hasText: /order_/ })
    isReady = (await rows.count()) > 0
  }
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await page.keyboard.press('Escape')
    await write(page, 'select * from ')
    await page.keyboard.press('Escape')
    await page.waitForTimeout(400)
    const shown = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let begin = 0
          document.addEventListener('keydown', () => (begin ||= performance.now()), { capture: true, once: true })
          const look = () => {
            const isShown = document.querySelector('.suggest-widget.visible .monaco-list-row') !== null
            if (begin > 0 && isShown) resolve(performance.now() - begin)
            else requestAnimationFrame(look)
          }
          look()
        }),
    )
    await page.waitForTimeout(50)
    await page.keyboard.press(WORDS[round % 10]?.[0] ?? 'o')
    times.push(await shown)
  }
  return [
    {
      what: `key to list of suggestions, ${TABLES.toLocaleString('en')} tables`,
      value: median(times),
      unit: 'ms',
      limit: { value: 50, isAtMost: true },
    },
    { what: 'slowest of them', value: Math.max(...times), unit: 'ms' },
  ]
}

async function measureTyping(page: Page, devtools: CDPSession): Promise<Figure[]> {
  const line = (at: number) =>
    `select id, status, amount from order_order_${at % 100} where amount > ${at}; -- line ${at}`
  await write(page, Array.from({ length: LINES }, (_, at) => line(at)).join('\n'))
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.press('Enter')
  await page.waitForTimeout(4000)
  await page.evaluate(() => {
    const noted: number[] = []
    Object.assign(window, { typed: noted })
    document.addEventListener(
      'keydown',
      () => {
        const begin = performance.now()
        // Behind the frame that shows the key.
        requestAnimationFrame(() => {
          const channel = new MessageChannel()
          channel.port1.addEventListener('message', () => noted.push(performance.now() - begin))
          channel.port1.start()
          channel.port2.postMessage(null)
        })
      },
      { capture: true },
    )
  })
  await devtools.send('Performance.enable')
  const readTaskTime = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
  }
  const before = await readTaskTime()
  const text = 'select status from order_order_1 where amount = 1'
  await page.keyboard.type(text, { delay: 90 })
  const spent = (await readTaskTime()) - before
  const typed = await page.evaluate(() => (window as unknown as { typed: number[] }).typed)
  return [
    {
      what: `key to paint, ${LINES.toLocaleString('en')} lines, median`,
      value: median(typed),
      unit: 'ms',
      limit: { value: 16, isAtMost: true },
    },
    { what: 'slowest key', value: Math.max(...typed), unit: 'ms' },
    { what: 'main thread for a key, all that follows from it', value: (spent * 1000) / text.length, unit: 'ms' },
  ]
}
