import type { Locator, Page } from '@playwright/test'

const MAX_TABS = 100

type Way = 'Tab' | 'Shift+Tab'

const isFocused = (target: Locator) =>
  target.evaluate((element) => element.ownerDocument.hasFocus() && element.ownerDocument.activeElement === element)

/** Fails when Tab does not reach the target. */
export async function tabTo(page: Page, target: Locator, way: Way = 'Tab'): Promise<void> {
  await target.waitFor()
  await tabUntil(page, () => isFocused(target), { way, what: String(target) })
}

export async function arrowTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let steps = 0; steps < MAX_TABS; steps += 1) {
    if (await isFocused(target)) return
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`The focus does not reach ${String(target)} by the arrow keys`)
}

export async function tabInto(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  const isInside = () => target.evaluate((element) => element.contains(element.ownerDocument.activeElement))
  await tabUntil(page, isInside, { way: 'Tab', what: String(target) })
}

async function tabUntil(
  page: Page,
  isThere: () => Promise<boolean>,
  { way, what }: { way: Way; what: string },
): Promise<void> {
  // Headless Chromium does not wrap around at a frame at the end of the page: go back instead.
  const back: Way = way === 'Tab' ? 'Shift+Tab' : 'Tab'
  for (const key of [way, back]) {
    for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
      if (await isThere()) return
      await page.keyboard.press(key)
    }
  }
  throw new Error(`The focus does not reach ${what} by ${way}`)
}

export async function pressOn(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

export interface Hands {
  press(target: Locator): Promise<void>
  write(target: Locator, text: string): Promise<void>
}

export const createHands = (page: Page, hasKeysOnly: boolean): Hands =>
  hasKeysOnly
    ? {
        press: (target) => pressOn(page, target),
        write: async (target, text) => {
          await tabTo(page, target)
          await page.keyboard.press('ControlOrMeta+A')
          await page.keyboard.insertText(text)
        },
      }
    : { press: (target) => target.click(), write: (target, text) => target.fill(text) }
