import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Page, chromium } from '@playwright/test'
import { findFreePort } from '@trellis/embedded/postgres/free-port'
import { CHROMIUM_FLAGS, getWholeChromium } from '../../e2e/harness/chromium.ts'
import { signIn } from '../../e2e/harness/people.ts'
import { startProduct } from '../../e2e/harness/product.ts'
import { type Figure, median } from '../report.ts'

const QUESTIONS = ['number of orders by status', 'revenue by category', 'number of customers by country']
const ROUNDS = 4
const LIMIT_MS = 300
const DEMO_RUNS = 3
const REST_MS = 1000
const DEMO = /(demo@trellis\.local)\D+?([A-Z][a-z]+-[a-z]+-\d{4})/s

interface Place {
  readonly url: string
  readonly token: string
  readonly ai: string
}

/** From sending a question to the first part of its answer, via API and on screen. */
export async function measureFirstPart(): Promise<Figure[]> {
  const home = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  const product = await startProduct({ port: await findFreePort(), home, settings: { TRELLIS_RATE_LIMITS: 'off' } })
  const browser = await chromium.launch({ executablePath: getWholeChromium(), args: CHROMIUM_FLAGS })
  try {
    const [, email = '', password = ''] = DEMO.exec(product.output()) ?? []
    const context = await browser.newContext({ baseURL: product.url, viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    await signIn(page, { email, password, firstName: '', surname: '' })
    const place = await findPlace(page, product.url)
    const project = await waitForProject(place)
    const api = await measureApi(place, project)
    const screen = await measureScreen(page, place)
    const limit = { value: LIMIT_MS, isAtMost: true }
    return [
      { what: 'first part of an answer over the API, median', value: median(api), unit: 'ms', limit },
      { what: 'first part of an answer in Chromium, median', value: median(screen), unit: 'ms', limit },
      { what: 'first part of an answer in Chromium, slowest', value: Math.max(...screen), unit: 'ms' },
    ]
  } finally {
    await browser.close()
    await product.stop()
    await rm(home, { recursive: true, force: true })
  }
}

async function findPlace(page: Page, url: string): Promise<Place> {
  const stored = await page.evaluate(() => localStorage.getItem('trellis.token'))
  const { access_token: token } = JSON.parse(stored ?? '{}') as { access_token: string }
  const response = await fetch(`${url}/api/account`, { headers: { authorization: `Bearer ${token}` } })
  const { data } = (await response.json()) as { data: { trellis_code: string }[] }
  return { url, token, ai: `/${data[0]?.trellis_code}/shop/ai` }
}

async function call<T>({ url, token, ai }: Place, path: string, body?: object): Promise<T> {
  const response = await fetch(`${url}/api${ai}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return ((await response.json()) as { data: T }).data
}

interface Health {
  readonly running: number
  readonly last_24_hours: { readonly succeeded: number }
}

/** The demo is created in the background, then its dataflow runs once. */
async function waitForProject(place: Place): Promise<string> {
  const root = { ...place, ai: place.ai.replace(/\/ai$/, '') }
  for (;;) {
    const { items } = await call<{ items: { project_trellis_code: string }[] }>(place, '/project')
    const { dataflows } = await call<{ dataflows: Health }>(root, '/dashboard')
    const isQuiet = dataflows.running === 0 && dataflows.last_24_hours.succeeded >= DEMO_RUNS
    if (items[0] && isQuiet) return items[0].project_trellis_code
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

interface Sent {
  readonly answer: { readonly message_trellis_code: string }
}

async function measureApi(place: Place, project_trellis_code: string): Promise<number[]> {
  const times: number[] = []
  const { conversation_trellis_code: code } = await call<{ conversation_trellis_code: string }>(
    place,
    '/conversation',
    { project_trellis_code },
  )
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const text of QUESTIONS) {
      const started = performance.now()
      const { answer } = await call<Sent>(place, `/conversation/${code}/message`, { text })
      times.push(
        (await waitForPart(place, `/conversation/${code}/message/${answer.message_trellis_code}/follow`)) - started,
      )
    }
  }
  return times
}

async function waitForPart({ url, token, ai }: Place, path: string): Promise<number> {
  const response = await fetch(`${url}/api${ai}${path}`, { headers: { authorization: `Bearer ${token}` } })
  const decoder = new TextDecoder()
  let first: number | undefined
  for await (const chunk of response.body ?? []) {
    if (first === undefined && decoder.decode(chunk as Uint8Array, { stream: true }).includes('"kind"')) {
      first = performance.now()
    }
  }
  return first ?? Number.NaN
}

async function measureScreen(page: Page, { ai }: Place): Promise<number[]> {
  const times: number[] = []
  await page.goto(ai)
  const box = page.getByRole('textbox', { name: 'Question', exact: true })
  await box.fill('how many orders')
  await page.keyboard.press('Enter')
  const complete = page.locator('article[aria-label="Answer"][aria-busy="false"]')
  await complete.waitFor()
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const question of QUESTIONS) {
      await box.fill(question)
      const answers = page.getByRole('article', { name: 'Answer' })
      const before = await answers.count()
      await page.evaluate(watchFirstPart, before)
      await page.keyboard.press('Enter')
      times.push(await page.evaluate(() => (globalThis as unknown as Watching).firstPart))
      await complete.nth(before).waitFor()
      await page.waitForTimeout(REST_MS)
    }
  }
  return times
}

interface Watching {
  firstPart: Promise<number>
}

/** Runs in the page: from Enter to the first frame with a new answer. */
function watchFirstPart(before: number): void {
  const { promise, resolve } = Promise.withResolvers<number>()
  ;(globalThis as unknown as Watching).firstPart = promise
  let started: number | undefined
  const note = (event: KeyboardEvent) => {
    if (event.key === 'Enter') started ??= performance.now()
  }
  addEventListener('keydown', note, { capture: true, once: true })
  const look = () => {
    const answer = document.querySelectorAll('article[aria-label="Answer"]')[before]
    const text = answer?.textContent?.trim() ?? ''
    const hasPart = text !== '' && text !== 'Reading the question'
    if (started !== undefined && hasPart) resolve(performance.now() - started)
    else requestAnimationFrame(look)
  }
  look()
}
