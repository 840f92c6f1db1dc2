import type { Page } from '@playwright/test'

export interface Vitals {
  firstPaint: number
  largestPaint: number
  layoutShift: number
  /** Since `forgetInput`. */
  slowestInput: number
}

interface Noted {
  first: number
  paint: number
  listening: number
  longTaskEnd: number
  shift: number
  input: number
}

declare global {
  interface Window {
    noted: Noted
  }
}

/** Call before opening the page. */
export async function noteVitals(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const noted: Noted = { first: 0, paint: 0, listening: 0, longTaskEnd: 0, shift: 0, input: 0 }
    window.noted = noted
    const observe = (type: string, note: (entry: PerformanceEntry) => void) =>
      new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({
        type,
        buffered: true,
        durationThreshold: 16,
      } as PerformanceObserverInit)
    observe('paint', (entry) => {
      if (entry.name === 'first-contentful-paint') noted.first = entry.startTime
    })
    observe('largest-contentful-paint', (entry) => (noted.paint = entry.startTime))
    observe('longtask', (entry) => (noted.longTaskEnd = Math.max(noted.longTaskEnd, entry.startTime + entry.duration)))
    observe('layout-shift', (entry) => {
      const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
      if (!hadRecentInput) noted.shift += value
    })
    observe('event', (entry) => {
      const { interactionId = 0 } = entry as PerformanceEntry & { interactionId?: number }
      if (interactionId > 0) noted.input = Math.max(noted.input, entry.duration)
    })
    const look = () => {
      const form = document.querySelector('form')
      const isAlive = form && Object.keys(form).some((key) => key.startsWith('__reactProps'))
      if (isAlive) noted.listening = performance.now()
      else setTimeout(look, 5)
    }
    look()
  })
}

export async function readVitals(page: Page): Promise<Vitals> {
  const noted = await page.evaluate(() => window.noted)
  if (noted.paint === 0) throw new Error('The page painted nothing in the time it had')
  return {
    firstPaint: noted.first,
    largestPaint: noted.paint,
    layoutShift: noted.shift,
    slowestInput: noted.input,
  }
}

export async function readInteractive(page: Page): Promise<number> {
  const { listening, longTaskEnd } = await page.evaluate(() => window.noted)
  if (listening === 0) throw new Error('The form never came alive in the time it had')
  return Math.max(listening, longTaskEnd)
}

export async function forgetInput(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.noted.input = 0
  })
}

export type Visit = <T>(slowness: Slowness, work: (page: Page) => Promise<T>) => Promise<T>

export interface Slowness {
  cpu?: number
  network?: keyof typeof NETWORKS
}

const NETWORKS = {
  mobile: { latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 },
  desktop: { latency: 40, downloadThroughput: 10_240_000 / 8, uploadThroughput: 10_240_000 / 8 },
}

export async function slowDown(page: Page, { cpu = 1, network }: Slowness): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpu })
  if (!network) return
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', { offline: false, ...NETWORKS[network] })
}

export async function forgetFiles(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.clearBrowserCache')
  await devtools.detach()
}
