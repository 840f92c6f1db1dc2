import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect } from '../harness/test.ts'
import { findFaults } from './axe.ts'

const FOLDER = join(import.meta.dirname, '..', 'artifacts', 'screens')
const hasPictures = process.env['TRELLIS_PICTURES'] === 'on'

export const DESK = { width: 1440, height: 900 }
export const PHONE = { width: 390, height: 844 }

type Size = typeof DESK

interface Photograph {
  sizes?: readonly Size[]
  isWhole?: boolean
}

/**
 * Runs axe in both themes, on desktop and phone. With `TRELLIS_PICTURES=on` also takes pictures, which nothing
 * compares. The page must be dark by itself, to find screens that ignore the theme; light is forced.
 */
export async function photograph(
  page: Page,
  name: string,
  { sizes = [DESK, PHONE], isWhole = false }: Photograph = {},
): Promise<void> {
  await expect(page.locator('html'), `${name} is dark`).toHaveAttribute('data-theme', 'dark')
  for (const size of sizes) {
    await page.setViewportSize(isWhole ? { width: size.width, height: await heightAt(page, size) } : size)
    for (const theme of ['light', 'dark'] as const) {
      await wear(page, theme)
      if (hasPictures)
        await page.screenshot({ path: join(FOLDER, `${name}-${theme}-${size.width}.png`), animations: 'disabled' })
      expect
        .soft(await findFaults(page, { isAnotherTheme: theme === 'dark' }), `${name}, ${theme}, ${size.width} px`)
        .toEqual([])
    }
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect.soft(width, `${name} scrolls sideways at ${size.width} px`).toBeLessThanOrEqual(size.width)
  }
  await page.setViewportSize(sizes[0] ?? DESK)
}

async function heightAt(page: Page, size: Size): Promise<number> {
  await page.setViewportSize(size)
  return await page.evaluate(() => {
    const content = document.querySelector('#content') ?? document.body
    return Math.ceil(content.getBoundingClientRect().top + content.scrollHeight)
  })
}

/** Transitions are disabled: their intermediate colors have meaningless contrast. */
async function wear(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.evaluate(async (mode) => {
    const atOnce = new CSSStyleSheet()
    atOnce.replaceSync('*, *::before, *::after { transition: none !important }')
    document.adoptedStyleSheets.push(atOnce)
    document.documentElement.dataset['theme'] = mode
    // Reading a computed style flushes the new colors.
    getComputedStyle(document.documentElement).getPropertyValue('color')
    document.adoptedStyleSheets.pop()
    await document.fonts.ready
    const isShort = (animation: Animation) => Number(animation.effect?.getComputedTiming().endTime) < 2_000
    const passing = document.getAnimations().filter(isShort)
    await Promise.all(passing.map((animation) => animation.finished.catch(() => undefined)))
    // The editor recolors when idle, one frame later, and mixes old and new colors until then.
    const coloured = () =>
      new Promise((resolve) => requestIdleCallback(() => requestAnimationFrame(resolve), { timeout: 5_000 }))
    if (document.querySelector('.monaco-editor')) for (let frames = 0; frames < 3; frames += 1) await coloured()
  }, theme)
  // A spark's frame gets the theme by message, after the page.
  for (const frame of page.frames().filter((item) => new URL(item.url(), page.url()).pathname === '/spark-frame'))
    await frame.locator(`html[data-theme="${theme}"]`).waitFor({ state: 'attached' })
}
