import { chromiumAdvice, findChromium, findWholeChromium } from '../../tools/test/chromium.ts'

/** Chromium's sandbox does not work as root in a container. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const chromium = findChromium()

/** Without Chromium the configuration can still be loaded, by checks and to list the tests. */
export const toLaunchOptions = (...flags: readonly string[]) => ({
  ...(chromium !== undefined && { executablePath: chromium }),
  args: [...CHROMIUM_FLAGS, ...flags],
})

export const getChromium = (): string => demand(findChromium())

export const getWholeChromium = (): string => demand(findWholeChromium())

function demand(found: string | undefined): string {
  if (found === undefined) throw new Error(chromiumAdvice)
  return found
}
