import type { Page } from '@playwright/test'

/** Start waiting before the action: toasts disappear. */
export async function seen(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text, { exact: true }).first().waitFor()
}

/** With a fake clock, a toast cannot disappear unseen on a slow machine. */
export async function holdClock(page: Page): Promise<void> {
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
}

export async function seenInSteps(page: Page, text: string): Promise<void> {
  const words = page.getByText(text, { exact: true })
  for (let step = 0; step < 2000; step += 1) {
    if (await words.isVisible()) return
    await page.clock.runFor(10)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`The page never said: ${text}`)
}
