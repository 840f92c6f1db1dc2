import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { findFreePort } from '@trellis/embedded/postgres/free-port'
import { createCatalogue, type CatalogueContent } from '../../apps/web/src/sql-language/catalogue/catalogue.ts'
import { complete } from '../../apps/web/src/sql-language/complete/complete.ts'
import { buildWeb } from '../../e2e/harness/build-web.ts'
import { CHROMIUM_FLAGS, getWholeChromium } from '../../e2e/harness/chromium.ts'
import { publishEnvironment } from '../../e2e/harness/environment.ts'
import { openMailbox } from '../../e2e/harness/mailbox.ts'
import { signIn, signUp } from '../../e2e/harness/people.ts'
import { readDatabaseUrl, startProduct } from '../../e2e/harness/product.ts'
import { createProject, createWorksheet, getSuggestion, writeSql } from '../../e2e/harness/worksheet.ts'
import { giveWorkspaceWithTables } from '../../e2e/harness/workspace-data.ts'
import { type Figure, median, report } from '../report.ts'
import { openBarePage } from './serve-bare-page.ts'

const TABLES = 20_000
const LINES = 2000
const ROUNDS = 15
const PAGE_TIMEOUT_MS = 60_000
const CATALOGUE_TIMEOUT_MS = 60_000

/** Suggestions from 20,000 tables, and typing in 2,000 lines, in Chromium. */
export async function run(_args: string[]): Promise<void> {
  const content = sampleCatalogue()
  const figures = measureFunction(content)
  await buildWeb()
  const home = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  const product = await startProduct({ port: await findFreePort(), home, settings: { TRELLIS_RATE_LIMITS: 'off' } })
  const databaseUrl = readDatabaseUrl(home)
  publishEnvironment({ url: product.url, connectedUrl: '', issuer: '', platformsUrl: '', reportsUrl: '', databaseUrl })
  const browser = await chromium.launch({ executablePath: getWholeChromium(), args: CHROMIUM_FLAGS })
  try {
    const context = await browser.newContext({ baseURL: product.url, viewport: { width: 1440, height: 900 } })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const page = await context.newPage()
    await page.route('**/database-manager/catalogue/*', (route) =>
      route.fulfill({ json: { data: { ...content, version: 'x', is_unchanged: false, next_after: null } } }),
    )
    const person = await signUp(page.request, openMailbox(page.request))
    const { explorer } = await giveWorkspaceWithTables(page.request, person)
    await signIn(page, person, `${explorer}/worksheets`)
    page.setDefaultTimeout(PAGE_TIMEOUT_MS)
    await createProject(page, 'Large')
    await createWorksheet(page, 'large', 'Large')
    await waitForCatalogue(page)
    const bare = await context.newPage()
    bare.setDefaultTimeout(PAGE_TIMEOUT_MS)
    await openBarePage(bare, product.url)
    const lists = { own: await inFront(page, measureSuggestions), bare: await inFront(bare, measureSuggestions) }
    const typing = { own: await inFront(page, measureTyping), bare: await inFront(bare, measureTyping) }
    await report('completion', [...figures, ...toListFigures(lists), ...toTypingFigures(typing)])
  } finally {
    await browser.close()
    await product.stop()
    await rm(home, { recursive: true, force: true })
  }
}

/** Prefixes on both pages: the editor itself drops other matches. */
const LETTERS = ['o', 'c']
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

/** The language service against a bare filter over the names. */
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

/** The worker may get the catalogue after the first letters. */
async function waitForCatalogue(page: Page): Promise<void> {
  const until = performance.now() + CATALOGUE_TIMEOUT_MS
  while (performance.now() < until) {
    await writeSql(page, 'select * from ')
    await page.keyboard.type('order_')
    const isShown = await getSuggestion(page, 'order_')
      .first()
      .waitFor({ timeout: 3000 })
      .then(() => true)
      .catch(() => false)
    if (isShown) return
    await page.keyboard.press('Escape')
  }
  throw new Error('The suggestions never named a table of the catalogue.')
}

const isListShown = () =>
  document.querySelector('.suggest-widget .monaco-list-row')?.checkVisibility({ visibilityProperty: true }) === true

/** Background pages are painted once a second. */
async function inFront<T>(page: Page, measure: (page: Page) => Promise<T>): Promise<T> {
  await page.bringToFront()
  return await measure(page)
}

interface Compared<T> {
  readonly own: T
  readonly bare: T
}

async function measureSuggestions(page: Page): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await page.keyboard.press('Escape')
    await writeSql(page, 'select * from ')
    // A blank opens a list too.
    await page.waitForTimeout(300)
    await page.keyboard.press('Escape')
    await page.waitForFunction(`!(${isListShown.toString()})()`)
    await page.evaluate(`
      window.listMs = undefined
      document.addEventListener('keydown', () => {
        const begin = performance.now()
        const look = () => {
          if ((${isListShown.toString()})()) window.listMs = performance.now() - begin
          else requestAnimationFrame(look)
        }
        look()
      }, { capture: true, once: true })
    `)
    await page.keyboard.press(LETTERS[round % LETTERS.length] ?? 'o')
    const shown = await page.waitForFunction(() => (window as unknown as { listMs?: number }).listMs)
    times.push(Number(await shown.jsonValue()))
  }
  return times
}

const toListFigures = ({ own, bare }: Compared<number[]>): Figure[] => [
  {
    what: `key to list of suggestions, ${TABLES.toLocaleString('en')} tables`,
    value: median(own),
    unit: 'ms',
    limit: { value: 50, isAtMost: true },
  },
  { what: 'slowest of them', value: Math.max(...own), unit: 'ms' },
  { what: 'key to list, the editor alone on a page', value: median(bare), unit: 'ms' },
  { what: 'key to list, added by the worksheet', value: median(own) - median(bare), unit: 'ms' },
]

interface Typing {
  readonly keys: readonly number[]
  readonly mainThreadMs: number
}

async function measureTyping(page: Page): Promise<Typing> {
  const devtools = await page.context().newCDPSession(page)
  const line = (at: number) =>
    `select id, status, amount from order_order_${at % 100} where amount > ${at}; -- line ${at}`
  await writeSql(page, '')
  // Typed text is auto-indented, which takes minutes; paste instead.
  await page.evaluate(
    (text) => navigator.clipboard.writeText(text),
    Array.from({ length: LINES }, (_, at) => line(at)).join('\n'),
  )
  await page.keyboard.press('ControlOrMeta+V')
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
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const readTaskTime = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
  }
  const before = await readTaskTime()
  const text = 'select status from order_order_1 where amount = 1'
  await page.keyboard.type(text, { delay: 90 })
  const mainThreadMs = (((await readTaskTime()) - before) * 1000) / text.length
  return { keys: await page.evaluate(() => (window as unknown as { typed: number[] }).typed), mainThreadMs }
}

const toTypingFigures = ({ own, bare }: Compared<Typing>): Figure[] => [
  {
    what: `key to paint, ${LINES.toLocaleString('en')} lines, median`,
    value: median([...own.keys]),
    unit: 'ms',
    limit: { value: 16, isAtMost: true },
  },
  { what: 'slowest key', value: Math.max(...own.keys), unit: 'ms' },
  { what: 'key to paint, the editor alone on a page', value: median([...bare.keys]), unit: 'ms' },
  { what: 'key to paint, added by the worksheet', value: median([...own.keys]) - median([...bare.keys]), unit: 'ms' },
  { what: 'main thread for a key, all that follows from it', value: own.mainThreadMs, unit: 'ms' },
  { what: 'main thread for a key, the editor alone', value: bare.mainThreadMs, unit: 'ms' },
]
