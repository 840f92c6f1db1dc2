import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import type * as Playwright from '@playwright/test'
import { canRun, installPackage } from './apt.ts'

/** The headless shell starts in two thirds of the time. */
const shells = ['chromium-headless-shell', 'chrome-headless-shell']
const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const applications = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** From TRELLIS_CHROMIUM, the system, or Playwright. */
export function findChromium(): string | undefined {
  return process.env['TRELLIS_CHROMIUM'] ? findWholeChromium() : (listPaths(shells).find(canRun) ?? findWholeChromium())
}

export function findWholeChromium(): string | undefined {
  const given = process.env['TRELLIS_CHROMIUM']
  if (given) return canRun(given) ? given : undefined
  return [...listPaths(names), ...applications, ...findPlaywrightOwn()].find(canRun)
}

export function installChromium(): void {
  if (process.env['TRELLIS_CHROMIUM'] || listPaths(shells).some(canRun)) return
  const isNeeded = findChromium() === undefined
  installPackage('chromium-headless-shell', { called: "Chromium's headless shell", isNeeded })
  if (!findChromium()) installPackage('chromium', { called: 'Chromium', isNeeded })
}

export const chromiumAdvice =
  'No Chromium was found. Install it (Debian: "sudo apt-get install chromium"; anywhere: "npx playwright install chromium"), or set TRELLIS_CHROMIUM to its path.'

function listPaths(programs: readonly string[]): string[] {
  const path = (process.env['PATH'] ?? '').split(delimiter)
  const folders = [...path, '/usr/bin', '/usr/local/bin', '/snap/bin'].filter(Boolean)
  return programs.flatMap((name) => folders.map((folder) => join(folder, name)))
}

function findPlaywrightOwn(): string[] {
  const playwright = createRequire(import.meta.url)('@playwright/test') as typeof Playwright
  return [playwright.chromium.executablePath()]
}
