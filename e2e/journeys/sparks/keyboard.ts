import type { Locator, Page } from '@playwright/test'

const MAX_TABS = 150

const isFocused = (target: Locator) =>
  target.evaluate((element) => element.ownerDocument.hasFocus() && element.ownerDocument.activeElement === element)

/** Presses Tab until the focus is there, as a person without a mouse would; what no Tab reaches fails. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
    if (await isFocused(target)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The focus does not reach ${String(target)} by Tab`)
}

export async function pressOn(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}
