import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type AxeBuilder from '@axe-core/playwright'

type Results = Awaited<ReturnType<AxeBuilder['analyze']>>

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** axe waits forever for a frame without scripts. */
const MAIL_FRAME = 'iframe[sandbox]'

const require = createRequire(import.meta.url)
const { source } = createRequire(require.resolve('@axe-core/playwright'))('axe-core') as { source: string }

/** Rules that depend on the theme. */
const OF_COLOUR = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/** Repeats while animations start; gives up on pages that never rest. */
const MAX_ROUNDS = 5

interface Look {
  /** Only color rules: the page was checked in another theme already. */
  isAnotherTheme?: boolean
}

/** axe.run on the page itself: AxeBuilder would open another page for every check. */
export async function findFaults(page: Page, { isAnotherTheme = false }: Look = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const violations = await page.evaluate(
    async ({ rules, frame, most }) => {
      const { axe } = window as unknown as { axe: { run(context: object, options: object): Promise<Results> } }
      // Contrast in the middle of a transition is meaningless.
      const isPassing = (animation: Animation) =>
        animation.playState === 'running' && Number(animation.effect?.getComputedTiming().endTime) < 2_000
      const passing = () => document.getAnimations().filter(isPassing)
      let hasMoved = false
      const note = () => (hasMoved = true)
      for (const event of ['animationstart', 'transitionrun']) document.addEventListener(event, note, true)
      for (let rounds = 1; ; rounds += 1) {
        for (let fading = passing(); fading.length > 0; fading = passing())
          await Promise.allSettled(fading.map(({ finished }) => finished))
        hasMoved = false
        const found = await axe.run({ exclude: [[frame]] }, { runOnly: rules, resultTypes: ['violations'] })
        if (found.violations.length > 0 && hasMoved && rounds < most) continue
        for (const event of ['animationstart', 'transitionrun']) document.removeEventListener(event, note, true)
        return found.violations.map(({ id, nodes }) => ({
          id,
          nodes: nodes.map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary}`),
        }))
      }
    },
    { rules: isAnotherTheme ? OF_COLOUR : { type: 'tag', values: RULES }, frame: MAIL_FRAME, most: MAX_ROUNDS },
  )
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node}`))
}
