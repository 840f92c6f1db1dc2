import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import type * as Playwright from '@playwright/test'
import { canRun, installPackage } from './apt.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const applications = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** A Chromium to test with: the one named in TRELLIS_CHROMIUM, the system's, or the one Playwright keeps. */
export function findChromium(): string | undefined {
  const given = process.env['TRELLIS_CHROMIUM']
  if (given) return canRun(given) ? given : undefined
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/local/bin', '/snap/bin'].filter(
    Boolean,
  )
  const installed = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...installed, ...applications, ...findPlaywrightOwn()].find(canRun)
}

export const installChromium = (): void => installPackage('chromium', 'Chromium')

export const chromiumAdvice =
  'No Chromium was found. Install it (Debian: "sudo apt-get install chromium"; anywhere: "npx playwright install chromium"), or set TRELLIS_CHROMIUM to its path.'

function findPlaywrightOwn(): string[] {
  const playwright = createRequire(import.meta.url)('@playwright/test') as typeof Playwright
  return [playwright.chromium.executablePath()]
}
