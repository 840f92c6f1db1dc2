import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CDPSession, chromium, type Page } from '@playwright/test'
import { findFreePort } from '@trellis/embedded/postgres/free-port'
import { CHROMIUM_FLAGS, getWholeChromium } from '../e2e/harness/chromium.ts'
import { publishEnvironment } from '../e2e/harness/environment.ts'
import { openMailbox } from '../e2e/harness/mailbox.ts'
import { giveAccount, signIn, signUp } from '../e2e/harness/people.ts'
import { readDatabaseUrl, startProduct } from '../e2e/harness/product.ts'
import { sampleCanvas } from './canvas-sample.ts'
import { type Figure, median, report } from './report.ts'

const ROUNDS = 3
const STEPS = 120
const BUDGETS = [
  { blocks: 600, pan: 7 },
  { blocks: 1000, pan: 9 },
]

interface Motion {
  cpu: number
  fps: number
}

/** Panning and dragging a large canvas in Chromium: main thread time per frame, and frames per second. */
export async function run(args: string[]): Promise<void> {
  const only = args.includes('--blocks') ? Number(args[args.indexOf('--blocks') + 1]) : undefined
  const budgets = BUDGETS.filter(({ blocks }) => only === undefined || blocks === only)
  const home = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  const product = await startProduct({ port: await findFreePort(), home, settings: { TRELLIS_RATE_LIMITS: 'off' } })
  const databaseUrl = readDatabaseUrl(home)
  publishEnvironment({ url: product.url, connectedUrl: '', issuer: '', platformsUrl: '', reportsUrl: '', databaseUrl })
  const browser = await chromium.launch({ executablePath: getWholeChromium(), args: CHROMIUM_FLAGS })
  try {
    const context = await browser.newContext({ baseURL: product.url, viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    const person = await signUp(page.request, openMailbox(page.request))
    const account = await giveAccount(person)
    await signIn(page, person)
    const path = await createDataflow(page, `/${account}/marketing/dataflows`)
    const devtools = await context.newCDPSession(page)
    await devtools.send('Performance.enable')
    const figures: Figure[] = []
    for (const budget of budgets) figures.push(...(await measure({ page, devtools, path }, budget)))
    await report('canvas', figures)
  } finally {
    await browser.close()
    await product.stop()
    await rm(home, { recursive: true, force: true })
  }
}

async function createDataflow(page: Page, list: string): Promise<string> {
  await page.goto(list)
  await page.getByRole('button', { name: 'Create dataflow' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Large')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.waitForURL(/\/editor$/)
  return new URL(page.url()).pathname
}

interface Place {
  page: Page
  devtools: CDPSession
  path: string
}

async function measure({ page, devtools, path }: Place, { blocks, pan }: (typeof BUDGETS)[number]): Promise<Figure[]> {
  console.log(`${blocks} blocks …`)
  const code = path.split('/').at(-2) ?? ''
  await page.unrouteAll()
  await page.route(`**/dataflows/canvas/${code}`, (route) =>
    route.fulfill({ json: { data: sampleCanvas(code, blocks) } }),
  )
  const open = async (view: object | null) => {
    await page.evaluate(
      ([key, text]) => (text === null ? sessionStorage.removeItem(key) : sessionStorage.setItem(key, text)),
      [`trellis.canvas.at.${code}`, view && JSON.stringify(view)] as const,
    )
    await page.goto(path)
    await page.locator('.react-flow__node[data-id^="b-"]').first().waitFor()
    await page.waitForTimeout(1500)
  }
  const repeat = async (work: () => Promise<Motion>) => {
    const all: Motion[] = []
    for (let round = 0; round < ROUNDS; round += 1) all.push(await work())
    return { cpu: median(all.map((motion) => motion.cpu)), fps: median(all.map((motion) => motion.fps)) }
  }
  await open(null)
  const box = await page.getByRole('application').boundingBox()
  if (!box) throw new Error('There is no canvas')
  const corner = { x: box.x + 12, y: box.y + 12 }
  const whole = await repeat(() => move({ page, devtools }, corner))
  const middle = await page.locator('.react-flow__node[data-id="b-12"]').boundingBox()
  if (!middle) throw new Error('The whole canvas is not seen')
  const dragged = await repeat(() =>
    move({ page, devtools }, { x: middle.x + middle.width / 2, y: middle.y + middle.height / 2 }),
  )
  await open({ x: 40, y: 60, zoom: 0.8 })
  const near = await repeat(() => move({ page, devtools }, { x: box.x + 20, y: box.y + box.height / 2 }))
  const atMost = (value: number) => ({ value, isAtMost: true })
  const atLeast = (value: number) => ({ value, isAtMost: false })
  return [
    { what: `${blocks} blocks, all seen: panning`, value: whole.cpu, unit: 'ms CPU a frame', limit: atMost(pan) },
    { what: `${blocks} blocks, all seen: panning`, value: whole.fps, unit: 'frames/s' },
    { what: `${blocks} blocks, all seen: dragging one`, value: dragged.cpu, unit: 'ms CPU a frame' },
    { what: `${blocks} blocks, all seen: dragging one`, value: dragged.fps, unit: 'frames/s', limit: atLeast(58) },
    { what: `${blocks} blocks, close up: panning`, value: near.cpu, unit: 'ms CPU a frame', limit: atMost(pan) },
    { what: `${blocks} blocks, close up: panning`, value: near.fps, unit: 'frames/s' },
  ]
}

async function move(
  { page, devtools }: Pick<Place, 'page' | 'devtools'>,
  from: { x: number; y: number },
): Promise<Motion> {
  const busy = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'ThreadTime')?.value ?? 0
  }
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.evaluate(() => {
    const state = { frames: 0, isOver: false }
    const count = () => {
      state.frames += 1
      if (!state.isOver) requestAnimationFrame(count)
    }
    requestAnimationFrame(count)
    Object.assign(window, { frameCount: state })
  })
  const [before, started] = [await busy(), performance.now()]
  for (let step = 1; step <= STEPS; step += 1) {
    const turn = (step / STEPS) * 2 * Math.PI
    await page.mouse.move(from.x + Math.sin(turn) * 60, from.y + (1 - Math.cos(turn)) * 40)
  }
  const [after, ended] = [await busy(), performance.now()]
  const frames = await page.evaluate(() => {
    const { frameCount } = window as unknown as { frameCount: { frames: number; isOver: boolean } }
    frameCount.isOver = true
    return frameCount.frames
  })
  await page.mouse.up()
  await page.waitForTimeout(300)
  return { cpu: ((after - before) * 1000) / frames, fps: (frames * 1000) / (ended - started) }
}
