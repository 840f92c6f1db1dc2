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
  /** As tall as everything on the page, not only what is seen at first. */
  isWhole?: boolean
}

/**
 * Checks what is on the page for accessibility, in both themes, at the desk's width and the phone's. With `TRELLIS_PICTURES=on`
 * its pictures are taken too, for somebody who looks at them: nothing compares them.
 * The page is to be dark by itself, so that a screen which forgets the theme is found; light is then put on by hand.
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

/** Colours caught in the middle of a transition have contrasts that nobody reads; those of a theme put on by hand are left out. */
async function wear(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.evaluate(async (mode) => {
    const atOnce = new CSSStyleSheet()
    atOnce.replaceSync('*, *::before, *::after { transition: none !important }')
    document.adoptedStyleSheets.push(atOnce)
    document.documentElement.dataset['theme'] = mode
    // Reading a style makes the new colours count before transitions are back.
    getComputedStyle(document.documentElement).getPropertyValue('color')
    document.adoptedStyleSheets.pop()
    await document.fonts.ready
    const isShort = (animation: Animation) => Number(animation.effect?.getComputedTiming().endTime) < 2_000
    const passing = document.getAnimations().filter(isShort)
    await Promise.all(passing.map((animation) => animation.finished.catch(() => undefined)))
    // An editor colours its text anew once there is nothing else to do, and shows it with a later frame: for a moment the old
    // places of colours are read in the new list of them.
    const coloured = () =>
      new Promise((resolve) => requestIdleCallback(() => requestAnimationFrame(resolve), { timeout: 5_000 }))
    if (document.querySelector('.monaco-editor')) for (let frames = 0; frames < 3; frames += 1) await coloured()
  }, theme)
  // A spark is told of the theme by a message, after the page around it has changed.
  for (const frame of page.frames().filter((one) => new URL(one.url(), page.url()).pathname === '/spark-frame'))
    await frame.locator(`html[data-theme="${theme}"]`).waitFor({ state: 'attached' })
}
