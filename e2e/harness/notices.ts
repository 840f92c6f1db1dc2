import type { Page } from '@playwright/test'

/** Waits for words that vanish by themselves; begin waiting before what causes them. */
export async function seen(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text, { exact: true }).first().waitFor()
}

/** With its clock held, a page moves on only in these small steps, so nothing vanishes unseen however slow the machine is. */
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
