import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { type Browser, chromium, type Page } from '@playwright/test'
import { findFreePort } from '@trellis/embedded/postgres/free-port'
import { buildWeb } from '../e2e/harness/build-web.ts'
import { CHROMIUM_FLAGS, getWholeChromium } from '../e2e/harness/chromium.ts'
import { openMailbox } from '../e2e/harness/mailbox.ts'
import { publishEnvironment } from '../e2e/harness/environment.ts'
import { type Person, signIn, signUp } from '../e2e/harness/people.ts'
import { readDatabaseUrl, startProduct } from '../e2e/harness/product.ts'
import { type Figure, median, report } from './report.ts'
import { measureDashboard } from './web/dashboard.ts'
import { measureDashboardSizes, measureSizes } from './web-sizes.ts'
import {
  forgetInput,
  noteVitals,
  readInteractive,
  readVitals,
  slowDown,
  type Slowness,
  type Visit,
} from './web-vitals.ts'

const ROUNDS = 3
/** Waits without polling: the polling script would be a long task at 4× CPU slowdown. */
const QUIET_MS = 4_000
const PAGES = [
  '/login',
  '/signup',
  '/workspaces',
  '/profile/settings',
  '/profile/security',
  '/mailbox',
  '/docs',
  '/design',
]
const CPU = [
  { cpu: 1, limit: 50 },
  { cpu: 4, limit: 200 },
]

/** Pages in Chromium against their budgets, by the browser's own metrics. */
export async function run(args: string[]): Promise<void> {
  const isDashboardOnly = args.includes('--only') && args[args.indexOf('--only') + 1] === 'dashboard'
  await buildWeb()
  const sizes = await (isDashboardOnly ? measureDashboardSizes() : measureSizes())
  const home = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  const product = await startProduct({ port: await findFreePort(), home, settings: { TRELLIS_RATE_LIMITS: 'off' } })
  const databaseUrl = readDatabaseUrl(home)
  publishEnvironment({ url: product.url, connectedUrl: '', issuer: '', platformsUrl: '', reportsUrl: '', databaseUrl })
  const browser = await chromium.launch({ executablePath: getWholeChromium(), args: CHROMIUM_FLAGS })
  const visit: Visit = (slowness, work) => visitOnce(browser, { url: product.url, slowness, work })
  try {
    const person = await visit({}, (page) => signUp(page.request, openMailbox(page.request)))
    const dashboard = await measureDashboard(visit, { person, databaseUrl })
    if (isDashboardOnly) return await report('web-dashboard', [...sizes, ...dashboard])
    const figures = [...sizes, ...(await measureLoading(visit)), ...(await measureInput(visit, person)), ...dashboard]
    await report('web', [...figures, ...(await inspectPages(visit, { person, host: new URL(product.url).host }))])
  } finally {
    await browser.close()
    await product.stop()
    await rm(home, { recursive: true, force: true })
  }
}

interface OneVisit<T> {
  url: string
  slowness: Slowness
  work: (page: Page) => Promise<T>
}

async function visitOnce<T>(browser: Browser, { url, slowness, work }: OneVisit<T>): Promise<T> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await noteVitals(page)
  await slowDown(page, slowness)
  try {
    return await work(page)
  } finally {
    await context.close()
  }
}

const repeat = async <T>(work: () => Promise<T>) => {
  const values: T[] = []
  for (let round = 0; round < ROUNDS; round += 1) values.push(await work())
  return values
}

async function measureLoading(visit: Visit): Promise<Figure[]> {
  console.log(`Sign-in page at 4× CPU, 1.6 Mbit/s and 150 ms, ${ROUNDS} cold visits …`)
  const slow = { cpu: 4, network: 'mobile' } as const
  const bare = await startBarePage()
  const bareSeen: number[] = []
  const seen = await repeat(async () => {
    bareSeen.push(
      await visit(slow, async (page) => {
        await page.goto(bare.url)
        await page.waitForTimeout(QUIET_MS)
        return (await readVitals(page)).largestPaint
      }),
    )
    return await visit(slow, async (page) => {
      await page.goto('/login', { waitUntil: 'load' })
      await page.waitForTimeout(QUIET_MS)
      return { ...(await readVitals(page)), interactive: await readInteractive(page) }
    })
  })
  await bare.stop()
  const seconds = (what: string, values: number[], limit: number): Figure => ({
    what,
    value: median(values) / 1000,
    unit: 's',
    limit: { value: limit, isAtMost: true },
  })
  return [
    { what: 'a page of one line, same conditions: largest paint', value: median(bareSeen) / 1000, unit: 's' },
    seconds(
      'sign-in page: largest paint',
      seen.map((item) => item.largestPaint),
      0.8,
    ),
    seconds(
      'sign-in page: ready for input',
      seen.map((item) => item.interactive),
      1.5,
    ),
    {
      what: 'sign-in page: layout shift',
      value: median(seen.map((item) => item.layoutShift)),
      unit: '',
      limit: { value: 0.01, isAtMost: true },
    },
  ]
}

async function startBarePage() {
  const port = await findFreePort()
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>One line</title><p>One line')
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${port}/`, stop: () => new Promise((resolve) => server.close(resolve)) }
}

async function measureInput(visit: Visit, person: Person): Promise<Figure[]> {
  console.log(`Answers to input, ${ROUNDS} visits each …`)
  const figures: Figure[] = []
  for (const { cpu, limit } of CPU) {
    const typing = await repeat(() => visit({ cpu }, (page) => typeAtSignIn(page)))
    const toggling = await repeat(() => visit({ cpu }, (page) => toggleTheme(page, person)))
    const figure = (what: string, values: number[]): Figure => ({
      what: `${what}, slowest answer at ${cpu}× CPU`,
      value: median(values),
      unit: 'ms',
      limit: { value: limit, isAtMost: true },
    })
    figures.push(figure('typing at sign-in', typing), figure('theme button', toggling))
  }
  return figures
}

async function typeAtSignIn(page: Page): Promise<number> {
  await page.goto('/login')
  await page.waitForFunction(() => window.noted.listening > 0)
  await page.getByLabel('Email', { exact: true }).click()
  await forgetInput(page)
  await page.keyboard.type('ada@example.com', { delay: 60 })
  await page.waitForTimeout(500)
  return (await readVitals(page)).slowestInput
}

async function toggleTheme(page: Page, person: Person): Promise<number> {
  await signIn(page, person)
  const button = page.getByRole('button', { name: /^Switch to the (dark|light) theme$/ })
  await button.waitFor()
  await page.waitForTimeout(500)
  await forgetInput(page)
  for (let times = 0; times < 4; times += 1) {
    await button.click()
    await page.waitForTimeout(400)
  }
  return (await readVitals(page)).slowestInput
}

/** Accessibility violations, layout shift and external hosts. */
async function inspectPages(visit: Visit, { person, host }: { person: Person; host: string }): Promise<Figure[]> {
  console.log('Every page once …')
  const foreign = new Set<string>()
  return await visit({}, async (page) => {
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.protocol.startsWith('http') && url.host !== host) foreign.add(url.host)
    })
    let faults = 0
    let worst = { path: '', shift: 0 }
    for (const path of PAGES) {
      if (path === '/workspaces') await signIn(page, person)
      await page.goto(path, { waitUntil: 'networkidle' })
      faults += (await new AxeBuilder({ page }).analyze()).violations.length
      const { layoutShift } = await readVitals(page)
      if (layoutShift > worst.shift) worst = { path, shift: layoutShift }
    }
    const none = { value: 0, isAtMost: true }
    return [
      {
        what: `layout shift, worst page ${worst.path}`.trim(),
        value: worst.shift,
        unit: '',
        limit: { value: 0.01, isAtMost: true },
      },
      { what: 'accessibility faults, all pages', value: faults, unit: '', limit: none },
      { what: 'other hosts contacted', value: foreign.size, unit: '', limit: none },
    ]
  })
}
