import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from '../harness/test.ts'

const FOLDER = join(import.meta.dirname, '..', 'artifacts', 'screens')
/** The frame around a mail runs no script, so the check would wait in it for ever. */
const MAIL_FRAME = 'iframe[sandbox]'
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

export const THEMES = ['light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export const DESK = { width: 1440, height: 900 }
export const PHONE = { width: 390, height: 844 }

interface Photograph {
  theme: Theme
  sizes?: readonly { width: number; height: number }[]
  /** As tall as everything on the page, not only what is seen at first. */
  isWhole?: boolean
}

/** Checks what is on the page for accessibility and takes its picture, at the desk's width and the phone's. */
export async function photograph(
  page: Page,
  name: string,
  { theme, sizes = [DESK, PHONE], isWhole = false }: Photograph,
): Promise<void> {
  await expect(page.locator('html'), `${name} is ${theme}`).toHaveAttribute('data-theme', theme)
  for (const size of sizes) {
    await page.setViewportSize(isWhole ? { width: size.width, height: await heightAt(page, size) } : size)
    await page.evaluate(() => document.fonts.ready)
    await settle(page)
    await page.screenshot({
      path: join(FOLDER, `${name}-${theme}-${size.width}.png`),
      animations: 'disabled',
    })
    // The themes differ in colour alone and the widths in layout alone, so three of the four tell everything.
    if (theme === 'light' || size === sizes[0])
      expect.soft(await findFaults(page), `${name}, ${theme}, ${size.width} px`).toEqual([])
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect.soft(width, `${name} scrolls sideways at ${size.width} px`).toBeLessThanOrEqual(size.width)
  }
  await page.setViewportSize(sizes[0] ?? DESK)
}

async function heightAt(page: Page, size: { width: number; height: number }): Promise<number> {
  await page.setViewportSize(size)
  return await page.evaluate(() => {
    const content = document.querySelector('#content') ?? document.body
    return Math.ceil(content.getBoundingClientRect().top + content.scrollHeight)
  })
}

async function findFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).exclude(MAIL_FRAME).withTags(RULES).analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary}`),
  )
}

/** Colours caught in the middle of a transition have contrasts that nobody reads. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const isShort = (animation: Animation) => Number(animation.effect?.getComputedTiming().endTime) < 2_000
    const passing = document.getAnimations().filter(isShort)
    await Promise.all(passing.map((animation) => animation.finished.catch(() => undefined)))
  })
}
