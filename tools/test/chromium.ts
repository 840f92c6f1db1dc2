import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import type * as Playwright from '@playwright/test'
import { canRun, installPackage } from './apt.ts'

/** Without windows to draw it takes two thirds of the time of the whole browser. */
const shells = ['chromium-headless-shell', 'chrome-headless-shell']
const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const applications = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** A Chromium to test with: the one named in TRELLIS_CHROMIUM, the system's, or the one Playwright keeps. */
export function findChromium(): string | undefined {
  return process.env['TRELLIS_CHROMIUM'] ? findWholeChromium() : (listPaths(shells).find(canRun) ?? findWholeChromium())
}

/** One with everything people have, for what is measured. */
export function findWholeChromium(): string | undefined {
  const given = process.env['TRELLIS_CHROMIUM']
  if (given) return canRun(given) ? given : undefined
  return [...listPaths(names), ...applications, ...findPlaywrightOwn()].find(canRun)
}

/** The shell where Debian has it, even beside a Chromium; else, when there is none at all, the whole browser. */
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
