import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import type * as Playwright from '@playwright/test'

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

/** Debian's package, when root may install it; otherwise nothing happens. */
export function installChromium(): void {
  if (process.getuid?.() !== 0 || !canRun('/usr/bin/apt-get')) return
  process.stdout.write('Installing Chromium with apt-get…\n')
  const apt = (...args: string[]) =>
    spawnSync('/usr/bin/apt-get', ['-qq', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0
  if (!apt('install', '-y', '--no-install-recommends', 'chromium')) {
    apt('update')
    apt('install', '-y', '--no-install-recommends', 'chromium')
  }
}

export const chromiumAdvice =
  'No Chromium was found. Install it (Debian: "sudo apt-get install chromium"; anywhere: "npx playwright install chromium"), or set TRELLIS_CHROMIUM to its path.'

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function findPlaywrightOwn(): string[] {
  const playwright = createRequire(import.meta.url)('@playwright/test') as typeof Playwright
  return [playwright.chromium.executablePath()]
}
